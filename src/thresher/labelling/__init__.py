"""Labelling: people label the elements of pages, and their labels become a data set.

    queue     pages to label, from a folder, an archive or a list of addresses; the least certain first
    outline   a page as nested elements and texts, to choose from
    store     the labels: JSON lines, only ever appended, safe after a crash and for several labellers (entries)
    gold      labels -> the texts that are content, elements below a labelled one included
    export    labels -> a data set that `thresher evaluate` and `thresher train` read
    retrain   labels -> a model, and what it would change, in a process of its own      (samples, tune: how)
    retraining    such a process: started, watched, cancelled, its model accepted or not
    corrections   what a reader corrects on one page -> rules for the next pages of its site
    tasks     what is asked of pages, for processes that read pages

The web app (`thresher serve --label`) shows all this; nothing in here knows of it.
"""
