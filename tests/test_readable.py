"""What readers get to see; what hides things from them is in test_visibility.py."""

from __future__ import annotations

from thresher import parse
from thresher.visible.readable import block_link_density, readable


def test_link_density_of_a_block_is_the_share_of_linked_characters() -> None:
    page = parse("<p>abcd<a href=x>efgh</a></p><p>plain</p>")
    assert block_link_density(page).tolist() == [0.5, 0.0]


def test_text_that_is_no_text_of_the_page_is_not_readable() -> None:
    page = parse(
        "<title>t</title><p>seen</p><noscript><p>n</p></noscript><template>m</template><svg><text>s</text></svg>"
        "<select><option>o</select><textarea>a</textarea><p hidden>h</p>"
    )
    seen = readable(page)
    assert [text for text, shown in zip(page.text, seen, strict=True) if shown] == ["seen"]


def test_posts_inside_noscript_are_read_when_the_rest_of_the_page_is_nearly_empty() -> None:
    post = "<p>This is a whole forum post with a number of words in it, as search engines get to see it.</p>"
    page = parse(f"<body><h1>Topic</h1><noscript>{post * 8}</noscript>")
    assert readable(page).all()
    rich = parse(f"<body>{post * 8}<noscript>{post * 8}</noscript>")
    assert readable(rich).sum() == 8
