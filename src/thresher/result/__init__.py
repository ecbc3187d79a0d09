"""extract(): one verdict, and the result that holds it.

inputs           what people name as inputs: files, standard input, addresses
extraction       Extraction: text, Markdown, HTML, XML, metadata, read off one verdict
steps            from the verdict of a method to that of the result
blocks           every block with what was decided about it
structured_text  text that a page has only in its JSON-LD, where the visible page lacks it
diagnosis        status, confidence, warnings: why a result is what it is
redirects        where a page leads that has next to no text of its own
agreement        how far methods agree about a page
"""
