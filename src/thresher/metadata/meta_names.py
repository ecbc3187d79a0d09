"""Meta names by field and source, the better first.  Data only; Dublin Core's spellings are one here (see head.py)."""

from __future__ import annotations

__all__ = [
    "AUTHOR",
    "CATEGORY",
    "DATE",
    "DESCRIPTION",
    "IMAGE",
    "KEYWORDS",
    "LESS_SURE_SITENAME",
    "MODIFIED",
    "PRODUCT",
    "SITENAME",
    "TAG",
    "TITLE",
    "Names",
]

Names = tuple[tuple[str, tuple[str, ...]], ...]


def _names(*groups: tuple[str, str]) -> Names:
    return tuple((source, tuple(names.split())) for source, names in groups)


TITLE = _names(
    ("opengraph", "og:title"),
    ("meta", "citation_title parsely-title sailthru.title"),
    ("dublin-core", "dc.title"),
    ("twitter", "twitter:title twitter:text:title"),
)
AUTHOR = _names(
    ("meta", "citation_author citation_authors"),
    ("dublin-core", "dc.creator dc.creator.name dc.author dc.contributor.author"),
    ("opengraph", "article:author article:author_name og:article:author og:author book:author"),
    ("meta", "parsely-author sailthru.author byl cxenseparse:author author authors article.author creator"),
)
DATE = _names(
    ("opengraph", "article:published_time og:article:published_time og:published_time og:pubdate article:published"),
    (
        "meta",
        """citation_publication_date citation_date citation_online_date parsely-pub-date sailthru.date
        cxenseparse:publishtime pubdate publish-date publish_date publishdate publication_date publication-date
        published published_time article.published article_date_original originalpublicationdate datepublished
        displaydate""",
    ),
    ("dublin-core", "dc.date.issued dc.issued dc.date.published dc.date.created dc.created dc.date"),
    ("meta", "date created creation_date pagedate article.created"),
)
MODIFIED = _names(
    ("opengraph", "article:modified_time og:article:modified_time article:updated_time og:updated_time"),
    ("dublin-core", "dc.date.modified dc.modified"),
    ("meta", "last-modified lastmod modified_time date.modified revised article.updated updated_time datemodified"),
)
SITENAME = _names(
    ("opengraph", "og:site_name"),
)
LESS_SURE_SITENAME = _names(
    ("meta", "citation_journal_title application-name apple-mobile-web-app-title publisher cre"),
    ("dublin-core", "dc.publisher"),
)
DESCRIPTION = _names(
    ("opengraph", "og:description"),
    ("meta", "description sailthru.description"),
    ("twitter", "twitter:description"),
    ("dublin-core", "dc.description dc.abstract"),
)
IMAGE = _names(
    ("opengraph", "og:image:secure_url og:image og:image:url"),
    ("twitter", "twitter:image twitter:image:src"),
    ("meta", "parsely-image-url sailthru.image.full thumbnail"),
)
TAG = _names(
    ("opengraph", "article:tag og:article:tag"),
    ("meta", "parsely-tags sailthru.tags news_keywords citation_keywords"),
)
KEYWORDS = _names(("dublin-core", "dc.subject"), ("meta", "keywords"))
CATEGORY = _names(("opengraph", "article:section og:article:section"), ("meta", "parsely-section category"))
# Open Graph's for products, as shops spell them; a sale's price before the usual one.
PRODUCT = {
    "price": "product:sale_price:amount product:price:amount og:price:amount product:price og:price".split(),
    "currency": (
        "product:sale_price:currency product:price:currency og:price:currency product:currency og:currency".split()
    ),
    "availability": "product:availability og:availability".split(),
    "brand": "product:brand og:brand".split(),
    "sku": "product:retailer_item_id product:sku".split(),
}
