"""Tools for agents: the Model Context Protocol over standard input and output, or over HTTP (`thresher mcp`).

server      the tools, and the pages of a session as resources
pages       a page by its address or its HTML: fetched through the gate, kept for a while
tasks       what is done to a page in a process of its own: extract, explain, search
wording     results as Markdown for a language model
serving     the HTTP server around it: who may ask

What the tools return was written by the authors of web pages.  Nothing here reads a file or fetches from a private
address, whatever a page or a model asks for.
"""
