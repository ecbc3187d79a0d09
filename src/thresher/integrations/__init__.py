"""Thresher inside of other libraries: one small file each, which imports the library when it is imported itself.

langchain      a loader of pages, and a transformer of documents
llama_index    a reader
haystack       a converter component
datatrove      an extractor for its pipelines
nemo_curator   an algorithm for its extraction of Common Crawl
scrapy         an item pipeline, and the result of a response
fastapi        a router to mount
ray            a stateful class for `map_batches`
spark          functions for `mapInArrow` and `mapInPandas`
dask           a data frame mapped partition by partition
documents      what the libraries of documents share: a text with its metadata

docs/pipelines.md and docs/frameworks.md show each at work.
"""
