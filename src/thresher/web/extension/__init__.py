"""What the browser add-on (the folder `extension/`) asks of the server.

pairing     which add-ons may ask: a code that is typed or clicked once, then a token for one origin
cors        what their browsers are answered: preflights, and which answers an add-on may read
live_page   a page as an add-on sends it: the tree of the browser with boxes and styles
tasks       what is done to such pages in the processes that read pages
site_files  what was corrected in the browser: labels, the pages they are about, rules of sites
routes      the addresses under /extension
benchmark   the key pages of saved sites, one by one, for the add-on's benchmark
"""
