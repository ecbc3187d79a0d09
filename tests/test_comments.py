"""What readers wrote is no part of an article, and is kept apart."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import thresher
from thresher.methods.auto.comments import headed, named

_PARAGRAPH = (
    "The committee met on Tuesday to discuss the plan for the old harbour, and many people from the town came to "
    "listen. Some had lived there all their lives; others had moved in when the first warehouses were sold."
)
_ARTICLE = f"<article><h1>Harbour plan</h1>{f'<p>{_PARAGRAPH}</p>' * 6}</article>"
_FIRST, _SECOND = (
    "I have seen this before and it did not end well.",
    "My boat has been there since my father bought it.",
)


def _text(result: thresher.Extraction) -> str:
    return "\n\n".join(comment.text for comment in result.comments)


def _page(comments: str) -> str:
    return f"<!doctype html><title>Harbour plan</title><body><main>{_ARTICLE}</main>{comments}</body>"


@pytest.mark.parametrize(
    "comments",
    [
        '<section id="comments"><h2>2 comments</h2><ol class="comment-list"><li class="comment"><b>Ann</b><p>{0}</p>'
        '<a href="#r">Reply</a></li><li class="comment"><b>Bob</b><p>{1}</p><a href="#r">Reply</a></li></ol>'
        '<form><label>Your comment</label><textarea></textarea><button>Send it</button></form></section>',
        '<div class="postComments"><div><p>{0}</p></div><div><p>{1}</p></div></div>',
        '<footer><h2>Discussion</h2><div itemscope itemtype="https://schema.org/Comment"><p>{0}</p></div>'
        '<div itemscope itemtype="http://schema.org/UserComments"><p>{1}</p></div></footer>',
    ],
)  # fmt: skip
def test_comments_are_apart(comments: str) -> None:
    result = thresher.extract(_page(comments.format(_FIRST, _SECOND)))
    said = _text(result)
    assert _FIRST in said
    assert _SECOND in said
    assert [comment["text"] for comment in result.to_dict()["comments"]] == [one.text for one in result.comments]
    for other in ("committee", "Reply", "Send it", "Your comment", "2 comments"):
        assert other not in said
    assert _FIRST not in result.text
    main, apart = ElementTree.fromstring(result.xml)
    assert (main.tag, apart.tag) == ("main", "comments")
    assert said.split() == " ".join(apart.itertext()).split()
    assert [part.get("type") for part in apart] == ["comment"] * 2
    assert [comment.text for comment in result.comments] == [_FIRST, _SECOND]
    assert all(comment.text in comment.html for comment in result.comments)


@pytest.mark.parametrize(
    "other",
    [
        "",
        '<div id="comments"><h2>Comments</h2><p>Leave a reply</p><form><textarea></textarea></form></div>',
        f'<ul class="recent-comments"><li>{_FIRST}</li></ul>',
        f'<div class="community"><p>{_FIRST}</p></div>',
        f'<div id="comments" hidden><p>{_FIRST}</p></div>',
    ],
)
def test_what_is_no_comment(other: str) -> None:
    assert thresher.extract(_page(other)).comments == ()


def test_what_is_content_is_no_comment() -> None:
    html = f'<title>Harbour plan</title><body class="comments-open"><div class="has-comments">{_ARTICLE}</div></body>'
    result = thresher.extract(html)
    assert _PARAGRAPH in result.text
    assert result.comments == ()


def test_the_remarks_of_a_program_are_no_comments() -> None:
    remark = '<div><span class="token comment"># what this step of the program is good for, in a line</span></div>'
    page = thresher.parse(_page(f'<pre class="language-python"><code>{remark * 6}</code></pre>'))
    assert not named(page).any()
    assert thresher.extract(page).comments == ()


def _soup(heading: str, behind: str = "") -> str:
    """The same in boxes without names."""
    said = "".join(f"<div><b>{who}</b><p>{what}</p></div>" for who, what in (("Ann", _FIRST), ("Bob", _SECOND)))
    menu = "".join(f'<a href="/{k}">Part {k}</a>' for k in range(9))
    text = f"<h1>Harbour plan</h1>{f'<p>{_PARAGRAPH}</p>' * 6}"
    return (
        f"<!doctype html><title>Harbour plan</title><body><div>{menu}</div><div>{text}"
        f"<div><h3>{heading}</h3>{said}{behind}</div></div><div>{menu}</div></body>"
    )


@pytest.mark.parametrize(
    "heading",
    [
        "Comments (2)",
        "2 thoughts on “Harbour plan”",
        "<span>2</span> Kommentare zu „Hafen“",
        "Vos commentaires : 2",
        "Комментарии <sup>2</sup>",
        "תגובות (2)",
        "التعليقات (٢)",
        "মন্তব্য (২)",
        "コメント（2件）",
        "2条评论",
        "댓글 2개",
    ],
)
def test_a_heading_tells_comments_in_many_languages(heading: str) -> None:
    result = thresher.extract(_soup(heading))
    assert _PARAGRAPH in result.text
    assert _FIRST not in result.text
    assert [comment.text for comment in result.comments] == [_FIRST, _SECOND]
    assert [comment.author for comment in result.comments] == ["Ann", "Bob"]


def test_a_heading_without_a_number_needs_a_form_to_tell_comments() -> None:
    form = "<form><textarea></textarea></form>"
    assert headed(thresher.parse(_soup("Comments", form))).any()
    assert not headed(thresher.parse(_soup("Comments"))).any()  # a chapter on the comments of a language


@pytest.mark.parametrize(
    "heading", ["Plans (2)", "12 comments by the mayor that nobody wanted to hear again, ever" * 2]
)
def test_other_headings_tell_no_comments(heading: str) -> None:
    assert not headed(thresher.parse(_soup(heading))).any()


def test_several_such_headings_are_a_list_of_threads() -> None:
    one = f"<div><h3>Comments (2)</h3><p>{_FIRST}</p></div>"
    assert headed(thresher.parse(one * 2)).any()
    assert not headed(thresher.parse(one * 3)).any()


def test_comments_end_at_the_next_heading_of_their_rank() -> None:
    more = f"<h4>Bob</h4><p>{_SECOND}</p><h3>Related</h3><p>{_PARAGRAPH}</p>"
    page = thresher.parse(f"<body><h3>Comments (2)</h3><p>{_FIRST}</p>{more}</body>")
    assert [page.inner_text(row) for row in headed(page).nonzero()[0]] == ["Comments (2)", _FIRST, "Bob", _SECOND]


def test_comments_have_author_date_and_what_they_reply_to() -> None:
    reply = (
        f'<ol class="children"><li class="comment" id="comment-8"><cite class="fn">Bob</cite><p>{_SECOND}</p></li></ol>'
    )
    comments = (
        '<section id="comments"><h2>2 comments</h2><ol class="comment-list"><li class="comment" id="comment-7">'
        '<cite class="fn">Ann</cite> <a href="#comment-7"><time datetime="2024-03-05T09:12:00Z">5 March</time></a>'
        f"<p>{_FIRST}</p>{reply}</li></ol></section>"
    )
    first, second = thresher.extract(_page(comments)).comments
    assert (first.author, first.date, first.text, first.parent) == ("Ann", "2024-03-05T09:12:00Z", _FIRST, None)
    assert (second.author, second.date, second.text, second.parent) == ("Bob", None, _SECOND, 0)


def test_a_single_comment_is_one() -> None:
    comment = f'<div class="comment"><b class="author">Ann</b><p>{_FIRST}</p></div>'
    one = f'<section id="comments"><h2>1 comment</h2>{comment}</section>'
    (single,) = thresher.extract(_page(one)).comments
    assert (single.author, single.text) == ("Ann", _FIRST)
