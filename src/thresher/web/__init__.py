"""The web app and the HTTP API: `thresher serve`.

    app        create_app(settings): the parts, the guard around them, errors
    settings   where to listen, whom to let in, limits: ServerSettings
    security   who may ask, and what every answer carries
    connections  how many, and how long without a request              (attempts: wrong tokens)
    context    what the parts share: Context
    workers    pages are read in processes of their own: WorkerPool    (tasks: what is done there)
    sources    pages in memory, and fetches through the gate
    answers    refusals and errors as page, piece of a page or JSON    (metrics: counts for Prometheus)
    try_, learn, compare, evaluate, label, api, scrape, docs           the parts
      results      the result of Try as a piece of a page
      site_runs    sites that are learned for visitors                 (site_job: the process of one)
      options      what a form or a link asks for                   (method_groups: the methods by paper)
      views        what pages of the app show of a result
      reports      results of `thresher evaluate --json`, read back
      rendering    pages as a browser shows them
      label_session    queue, labels and retraining of Label           (label_views, label_train: its pages, retraining)
      scraping     what /v2/scrape gives of a page
    extension/ the part of the browser add-on

A part is a module with

    ENTRY = Entry("Label", "/label")     its place in the navigation; None for none
    router = APIRouter()                 its routes; `here: Here` gives them the Context

and a line in `app.PARTS`.  Its pages extend templates/base.html (blocks: title, content) and are made with
`here.page(request, "label.html", …)`; style goes to static/app.css or a sheet of its own in block `head`, script to a
file in static/ likewise: nothing inline works.  What reads pages runs in a process, as
`await here.pool.run("thresher.web.views:try_result", {…JSON…}, page_bytes, …)`, a function (request, pages) -> JSON.
Forms with `data-post` are sent and their answers put in place by static/app.js, which says how; requests of other
scripts need the header `X-Thresher-Token` with the content of `<meta name="thresher-token">`, and `X-Fragment: 1`
when an answer is a piece of a page.  A `Refused(status, code, message)` that a route raises is answered in the right
form.
"""
