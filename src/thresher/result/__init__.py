"""extract(): from a page to its result.

inputs           inputs of the command line and the web app: files, standard input, URLs
extraction       Extraction: text, Markdown, HTML, XML and metadata of one verdict
many             extract_many: many pages in several processes
steps            what happens to the verdict of a method before it is the result
chunks           Chunk: pieces of the Markdown for language models
similarity       how alike two results are
addresses        extract_url: from an address to its result
preview          a result to look at, in a notebook or a browser
schema           the JSON of a result, as a schema
blocks           Block: every block with score and reasons
structured_text  text that is only in the page's JSON-LD, where the visible page lacks it
price            the price of a product, where the extract lacks it
appended         articles that the page appends to its own (own_addresses: the address of each)
diagnosis        status, confidence and warnings: SPA shells, cut and empty pages
walls            pages in place of the content: bot checks, logins, consent, error pages
set_aside        hidden text and comments, and a warning if they are much
threads          Post, Comment: forum threads and comments, post by post
redirects        where a page with almost no text leads: meta refresh, frames
models           which method a model file was made for
agreement        how far several methods agree about a page
"""
