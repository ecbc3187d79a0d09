"""Threads keep their posts as objects: who wrote what, when, in reply to whom."""

# ruff: noqa: E501  (markup as forum programs write it)

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import thresher

TEXTS = (
    "My flail broke at the strap after two winters, and I would like to know how others mend theirs. Eel skin is said "
    "to last longest, but nobody sells it here.",
    "I have used horsehide for twenty years and it never let me down. Soak it over night, and sew it while it is wet.",
    "Horsehide gets hard in the frost, so I went back to eel skin last year. You can order it from the fish market in "
    "the harbour, where they give it away.",
)
WHO = (("anna_b", "2024-03-04"), ("Old Thresher", "2024-03-05"), ("peter77", "2024-03-06"))
MENU = "<ul class=nav>" + "".join(f'<li><a href="/f/{k}">Board {k}</a></li>' for k in range(6)) + "</ul>"


def _page(body: str, title: str = "How to mend a flail?") -> str:
    return (
        f"<!doctype html><html lang=en><head><title>{title} - Farm forum</title></head><body>{MENU}{body}"
        "<footer>Powered by a forum program. All times are UTC. Terms and privacy.</footer></body></html>"
    )


def _each(unit: str) -> str:
    days = ("Mon Mar 04, 2024", "Tue Mar 05, 2024", "Wed Mar 06, 2024")
    rows = zip(WHO, TEXTS, days, strict=True)
    return "".join(
        unit.format(n=n, id=n + 101, name=name, day=day, words=words, text=text)
        for n, ((name, day), text, words) in enumerate(rows)
    )


PHPBB = _page(
    '<h2 class="topic-title"><a href="./viewtopic.php?t=7">How to mend a flail?</a></h2>'
    + _each(
        '<div id="p{id}" class="post has-profile bg2"><div class="inner"><dl class="postprofile" id="profile{id}">'
        '<dt><a href="./memberlist.php?mode=viewprofile&amp;u={n}" class="username">{name}</a></dt>'
        '<dd class="profile-rank">Site Admin</dd><dd class="profile-posts"><strong>Posts:</strong> 312</dd>'
        '<dd class="profile-joined"><strong>Joined:</strong> Sun Jan 11, 2009 1:00 pm</dd></dl>'
        '<div class="postbody"><div id="post_content{id}"><h3><a href="#p{id}">Re: How to mend a flail?</a></h3>'
        '<p class="author"><span>by <strong><a href="./memberlist.php?mode=viewprofile&amp;u={n}" class="username">'
        '{name}</a></strong> » </span>{words} 9:12 am</p><div class="content">{text}</div>'
        '<div id="sig{id}" class="signature">Always thresh with a dry floor</div></div></div></div></div>'
    )
)
PHPBB_2 = _page(
    '<a href="login.php">Log in</a> <a href="profile.php?mode=register">Register</a><table class="forumline">'
    + _each(
        '<tr><td width="150" class="row1"><span class="name"><a name="{id}"></a><b>{name}</b></span><br>'
        '<span class="postdetails">Joined: 21 Feb 2005<br>Posts: 9</span></td><td class="row1"><table><tr>'
        '<td><span class="postdetails">Posted: {words} 9:12 am &nbsp; Post subject: Re: How to mend a flail, and how '
        "to mend it again?</span></td></tr><tr><td><hr></td></tr>"
        '<tr><td><span class="postbody">{text}</span></td></tr></table></td></tr>'
    )
    + "</table>"
)
VBULLETIN = _page(
    "<h1>How to mend a flail?</h1><div id=posts>"
    + _each(
        '<div id="edit{id}"><table id="post{id}" class="tborder" cellpadding="6" width="100%"><tr><td class="thead">'
        '<a name="post{id}"></a>{words}, 09:12 AM</td><td class="thead" align="right">#{n}</td></tr><tr valign="top">'
        '<td class="alt2" width="175"><div id="postmenu_{id}"><a class="bigusername" href="member.php?u={n}">{name}</a>'
        '</div><div class="smallfont">Senior Member</div><div class="smallfont"><div>Join Date: Jan 2009</div>'
        '<div>Posts: 312</div></div></td><td class="alt1" id="td_post_{id}"><div id="post_message_{id}">{text}</div>'
        "</td></tr></table></div>"
    )
    + "</div>"
)
DISCOURSE = _page(
    '<div id="main-outlet"><h1><a href="/t/7">How to mend a flail?</a></h1>'
    '<div itemscope itemtype="http://schema.org/DiscussionForumPosting">'
    + _each(
        '<div id="post_{n}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" '
        'class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" '
        'itemscope itemtype="http://schema.org/Person"><a itemprop="url" href="/u/{n}"><span itemprop="name">{name}'
        '</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{day}T09:12:00Z" '
        'class="post-time">{words}</time><span itemprop="position">{n}</span></span></div>'
        '<div class="post" itemprop="text"><p>{text}</p></div></div>'
    )
    + "</div></div>"
)
_OUTLET = DISCOURSE[DISCOURSE.index("<div id=") : DISCOURSE.index("<footer")]
NOSCRIPT = f"<title>How to mend a flail?</title><body><noscript data-path='/t/7'>{_OUTLET}</noscript></body>"
BBPRESS = _page(
    '<h1>How to mend a flail?</h1><ul class="forums bbp-replies"><li class="bbp-body">'
    + _each(
        '<div id="post-{id}" class="bbp-reply-header"><div class="bbp-meta"><span class="bbp-reply-post-date">{words} '
        'at 9:12 am</span><a href="#post-{id}" class="bbp-reply-permalink">#{id}</a></div></div>'
        '<div class="loop-item-{n} user-id-{n} bbp-parent-forum-3 post-{id} reply type-reply hentry">'
        '<div class="bbp-reply-author"><a href="/users/{n}/" class="bbp-author-link"><span class="bbp-author-name">'
        '{name}</span></a><div class="bbp-author-role">Keymaster</div></div>'
        '<div class="bbp-reply-content"><p>{text}</p></div></div>'
    )
    + "</li></ul>"
)
XENFORO = _page(
    '<h1 class="p-title-value">How to mend a flail?</h1><div class="block-body js-replyNewMessageContainer">'
    + _each(
        '<article class="message message--post js-post" data-author="{name}" data-content="post-{id}" id="js-post-{id}">'
        '<div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user">'
        '<h4 class="message-name"><a href="/members/{n}/" class="username" data-user-id="{n}">{name}</a></h4>'
        '<h5 class="userTitle message-userTitle">Well-known member</h5></section></div>'
        '<div class="message-cell message-cell--main"><header class="message-attribution"><a href="/p/{id}">'
        '<time class="u-dt" datetime="{day}T09:12:00+0000" data-time="1">{words}</time></a></header>'
        '<div class="message-content"><article class="message-body"><div class="bbWrapper">{text}</div></article></div>'
        '<aside class="message-signature"><div class="bbWrapper">Always thresh with a dry floor</div></aside>'
        "</div></div></article>"
    ).replace(
        f'<div class="bbWrapper">{TEXTS[2]}',
        f'<div class="bbWrapper"><blockquote data-attributes="member: 1" data-source="post: 102"><a href="/goto/post?id=102">'
        f"Old Thresher said:</a> I have used horsehide for twenty years</blockquote>{TEXTS[2]}",
    )
    + "</div>"
)
_SIGNATURE = (
    '<div class="post-signature owner"><div class="user-info"><div class="user-action-time">{0} <span title="{2} '
    '09:12:00Z" class="relativetime">Mar 4 at 9:12</span></div><div class="user-details"><a href="/users/7/x">{1}</a>'
    '<span class="reputation-score">1,234</span></div></div></div>'
)
STACK = _page(
    '<h1>How to mend a flail?</h1><div id="mainbar"><div class="question js-question" data-questionid="101" id="question">'
    f'<div class="post-layout"><div class="votecell"><div class="vote">17</div></div><div class="postcell">'
    f'<div class="s-prose js-post-body"><p>{TEXTS[0]}</p></div>{_SIGNATURE.format("asked", *WHO[0])}</div></div></div>'
    '<div id="answers"><h2>2 Answers</h2>'
    + "".join(
        f'<div id="answer-{n + 101}" class="answer js-answer" data-answerid="{n + 101}"><div class="post-layout">'
        f'<div class="votecell"><div class="vote">3</div></div><div class="answercell"><div class="s-prose js-post-body">'
        f"<p>{TEXTS[n]}</p></div>{_SIGNATURE.format('answered', *WHO[n])}</div></div></div>"
        for n in (1, 2)
    )
    + "</div></div>"
)
_THING = (
    '<div class="thing id-t1_{n} comment" id="thing_t1_{n}" data-author="{name}" data-fullname="t1_{n}"><div class="entry">'
    '<p class="tagline"><a href="/user/{name}" class="author">{name}</a> <span class="score">7 points</span> '
    '<time datetime="{day}T09:12:00+00:00">2 months ago</time></p><form class="usertext"><div class="usertext-body">'
    '<div class="md"><p>{text}</p></div></div></form><ul class="flat-list buttons"><li><a href="#">permalink</a></li></ul>'
    '</div><div class="child">{child}</div></div>'
)


def _nested(n: int) -> str:
    child = _nested(n + 1) if n + 1 < len(TEXTS) else ""
    return _THING.format(n=n, name=WHO[n][0].replace(" ", "_"), day=WHO[n][1], text=TEXTS[n], child=child)


REDDIT = _page(
    f'<h1>How to mend a flail?</h1><div class="commentarea"><div class="sitetable nestedlisting">{_nested(0)}</div></div>'
)
HACKER_NEWS = _page(
    '<center><table id="hnmain"><tr class="athing submission" id="7"><td class="title"><span class="titleline">'
    '<a href="https://farm.example/">How to mend a flail?</a></span></td></tr><tr><td>'
    '<table class="comment-tree">'
    + _each(
        '<tr class="athing comtr" id="{id}"><td><table><tr><td class="ind" indent="{n}"><img src="s.gif" height="1" '
        'width="{n}0"></td><td class="votelinks"></td><td class="default"><div><span class="comhead">'
        '<a href="user?id={n}" class="hnuser">{name}</a> <span class="age" title="{day}T09:12:00"><a href="item?id={id}">'
        '2 months ago</a></span></span></div><div class="comment"><div class="commtext c00">{text}</div>'
        '<div class="reply"><p><font size="1"><u><a href="reply?id={id}">reply</a></u></font></p></div></div></td></tr>'
        "</table></td></tr>"
    )
    + "</table></td></tr></table></center>"
)
PLAIN = _page(
    "<h1>How to mend a flail?</h1><div>"
    + _each('<div><div><a href="/profile/{n}">{name}</a></div><div>{words}</div><div>{text}</div></div>')
    + "</div>"
)
THREADS = {
    "phpBB": PHPBB,
    "phpBB 2": PHPBB_2,
    "vBulletin": VBULLETIN,
    "Discourse": DISCOURSE,
    "Discourse noscript": NOSCRIPT,
    "bbPress": BBPRESS,
    "XenForo": XENFORO,
    "Stack Exchange": STACK,
    "Reddit": REDDIT,
    "Hacker News": HACKER_NEWS,
    "plain": PLAIN,
}
PARENTS = {
    "XenForo": [None, None, 1],
    "Stack Exchange": [None, 0, 0],
    "Reddit": [None, 0, 1],
    "Hacker News": [None, 0, 1],
}


@pytest.mark.parametrize("name", THREADS)
def test_posts_of_a_forum_program(name: str) -> None:
    result = thresher.extract(THREADS[name], url="https://forum.example/t/7")
    posts = result.posts
    assert [post.author for post in posts] == [who.replace(" ", "_") if name == "Reddit" else who for who, _ in WHO]
    assert [post.date[:10] if post.date else None for post in posts] == [day for _, day in WHO]
    for post, text in zip(posts, TEXTS, strict=True):
        assert post.text.endswith(text)
        assert text in post.html
        for other in ("Joined", "Posts", "Senior", "admin", "dry floor", "Keymaster", "permalink", "reply"):
            assert other.lower() not in post.text.lower()
    assert [post.position for post in posts] == [0, 1, 2]
    assert [post.parent for post in posts] == PARENTS.get(name, [None] * 3)


@pytest.mark.parametrize("name", ["phpBB", "XenForo", "Reddit"])
def test_every_form_says_who_wrote_a_post(name: str) -> None:
    result = thresher.extract(THREADS[name], url="https://forum.example/t/7")
    who = [f"{post.author}, {(post.date or '')[:10]}" for post in result.posts]
    markdown = [line for line in result.markdown.splitlines() if line.startswith("### ")]
    assert [line.replace("\\", "") for line in markdown] == [f"### {one}" for one in who]
    for one in who:
        assert f"<h3>{one}</h3>" in result.html
        assert one not in result.text
    posts = ElementTree.fromstring(result.xml).findall("main/div[@type='post']")
    assert [(post.get("author"), post.get("date"), post.get("n")) for post in posts] == [
        (post.author, post.date, str(post.position)) for post in result.posts
    ]
    assert result.to_dict()["posts"][1] == {
        "author": result.posts[1].author,
        "date": result.posts[1].date,
        "text": TEXTS[1],
        "html": result.posts[1].html,
        "position": 1,
        "parent": result.posts[1].parent,
    }


def test_a_letter_in_place_of_a_picture_is_no_author_and_a_box_around_all_posts_is_no_post() -> None:
    unit = (
        '<div class="card box"><a href="/members/{name}.1/" class="avatar"><span>A</span></a>'
        '<div class="head"><a href="/members/{name}.1/">{name}</a> <time datetime="{words}">{day}</time></div>'
        '<div class="text">{text}</div></div>'
    )
    notice = "<p>This site may earn a commission from links to shops, at no cost to you.</p>"
    html = _page(f'<h1>How to mend a flail?</h1><div class="box">{notice}{_each(unit)}</div>')
    posts = thresher.extract(html).posts
    assert [post.author for post in posts][-3:] == [who for who, _ in WHO]
    assert len(posts) == 3


def test_who_quotes_a_post_is_not_taken_for_its_author() -> None:
    import json

    quoting = "I would not. It tears where the needle goes through, and then the whole strap has to be made anew."
    texts = (*TEXTS[:2], quoting)
    items = [
        {"@type": "Comment", "text": t, "author": {"name": w}, "datePublished": d}
        for t, (w, d) in zip(texts, WHO, strict=True)
    ]
    items[0] |= {"@type": "DiscussionForumPosting", "comment": items[1:], "headline": "How to mend a flail?"}
    quotes = (None, TEXTS[0], TEXTS[1])  # each quotes the post before it, and the JSON-LD leaves quotes out
    bodies = (f"<blockquote>{quote}</blockquote>{t}" if quote else t for quote, t in zip(quotes, texts, strict=True))
    boxes = "".join(f'<div class="post"><div class="x">{body}</div></div>' for body in bodies)
    html = _page(f'<h1>Flails</h1>{boxes}<script type="application/ld+json">{json.dumps(items[0])}</script>')
    assert [(post.author, post.date) for post in thresher.extract(html).posts] == list(WHO)


def test_replies_are_no_comments() -> None:
    assert thresher.extract(REDDIT).comments == ()


def test_an_article_has_no_posts() -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in TEXTS)
    result = thresher.extract(f"<title>Flails</title><body><article><h1>Flails</h1>{paragraphs}</article></body>")
    assert result.posts == ()
    assert result.to_dict()["posts"] == []


def test_json_ld_says_who_wrote_what() -> None:
    import json

    items = [
        {"@type": "Comment", "text": t, "author": {"name": w}, "datePublished": d}
        for t, (w, d) in zip(TEXTS, WHO, strict=True)
    ]
    items[0] |= {"@type": "DiscussionForumPosting", "comment": items[1:], "headline": "How to mend a flail?"}
    data = json.dumps({"@context": "https://schema.org", **items[0]})
    boxes = "".join(f'<div class="post"><div class="x">{text}</div></div>' for text in TEXTS)
    html = _page(f'<h1>How to mend a flail?</h1>{boxes}<script type="application/ld+json">{data}</script>')
    posts = thresher.extract(html).posts
    assert [(post.author, post.date, post.text, post.parent) for post in posts] == [
        (who, day, text, None if n == 0 else 0) for n, ((who, day), text) in enumerate(zip(WHO, TEXTS, strict=True))
    ]


def test_a_long_chain_of_replies_is_not_taken_for_one_post() -> None:
    from thresher.result.threads.posts import thread

    units = "".join(
        f'<div class="post"><a class="username" href="/u/{n}">ann{n}</a><p>{TEXTS[1]}</p>' for n in range(20)
    )
    result = thresher.extract(f"<title>Flails</title><body><h1>Flails</h1>{units}", method="plain")
    posts = thread(result.page, result.keep).posts
    assert [(post.author, post.parent) for post in posts] == [(f"ann{n}", n - 1 if n else None) for n in range(20)]
