"""Pages that stand in place of the content have a status of their own; pages about such pages are content."""

from __future__ import annotations

import pytest

import thresher

PROSE = (
    "<p>" + "The grain is beaten with a flail until it comes out of the husk, and the straw is shaken. " * 4 + "</p>"
)
LINKS = "<nav>" + "<a href=/a>Section of the barn</a> " * 40 + "</nav>"
FOOTER = f"<footer><p>{'Registered in England and Wales. ' * 10}</p></footer>"
CLOUDFLARE = """<title>Attention Required! | Cloudflare</title><div id=cf-wrapper><h1>Sorry, you have been
blocked</h1> <h2>You are unable to access barn.example</h2><h2>Why have I been blocked?</h2><p>This website is
using a security service to protect itself from online attacks. The action you just performed triggered the
security solution. There are several actions that could trigger this block including submitting a certain word or
phrase, a SQL command or malformed data.</p><h2>What can I do to resolve this?</h2><p>You can email the site owner
to let them know you were blocked. Please include what you were doing when this page came up and the Cloudflare Ray
ID found at the bottom of this page.</p>"""
PERIMETERX = """<title>Access to this page has been denied.</title><div><h1>Press &amp; Hold to confirm you are a
human</h1> <div id=px-captcha></div><p>Access to this page has been denied because we believe you are using
automation tools to browse the website. This may happen as a result of the following: Javascript is disabled or
blocked by an extension (ad blockers for example). Your browser does not support cookies. Please make sure that
Javascript and cookies are enabled on your browser and that you are not blocking them from loading.</p><p>Reference
ID: #0b1c-44</p></div>"""
AKAMAI = """<title>Access Denied</title><h1>Access Denied</h1>You don't have permission to access
"http&#58;//barn.example/" on this server.<p>Reference&#32;#18.4f<p>https://errors.edgesuite.net/18.4f"""
GOOGLE = """<title>Before you continue to Google Search</title><div><h1>Before you continue to Google</h1><p>We use
cookies and data to deliver and maintain our services, track outages and protect against spam.</p><p>If you choose
to accept all, we will also use cookies and data to deliver and measure the effectiveness of ads.</p><button>Reject
all</button> <button>Accept all</button><a href=/p>Privacy</a></div>"""
PUR = """<title>Barn Zeitung</title><main><h2>Weiterlesen mit Werbung</h2><p>Besuchen Sie uns wie gewohnt mit
Werbung und Tracking. Details in unserer Datenschutzerklärung und im Privacy Center.</p><button>Akzeptieren und
weiter</button><p>Wir und unsere Partner speichern Cookies und verarbeiten personenbezogene Daten mit Ihrer
Einwilligung.</p></main>"""
LOGIN = f"""<title>Log in | Barn</title>{LINKS}<main><h1>Log in</h1><form><label>E-mail</label><input name=e>
<label>Password</label><input type=password><a href=/forgot>Forgot password?</a></form></main>{FOOTER}"""
MEMBERS = f"""<title>Barn Forum</title>{LINKS}<div class=notice><p>You are not logged in or you do not have
permission to access this page. This could be due to one of several reasons.</p></div>{FOOTER}"""
RIGHT_BACK = """<title>Barn</title><body><h1>We&#8217;ll be right back</h1><p>We are doing some work on the barn.
Please check back soon, and thank you for your patience.</p>"""
WARTUNG = f"""<title>Wartungsarbeiten - Scheune</title><h1>Wir sind gleich wieder da!</h1><p>Zurzeit werden
Wartungsarbeiten durchgeführt. Wir bitten um etwas Geduld.</p>{FOOTER}"""
NOT_FOUND = f"""<title>Page not found – Barn</title>{LINKS}<main><h1>Oops! That page can&rsquo;t be
found.</h1><p>It looks like nothing was found at this location. Maybe try one of the links below or a
search?</p><h2>Most used categories</h2><ul><li><a href=/c>Flails</a><li><a href=/d>Sieves</a></ul></main>{FOOTER}"""
INTROUVABLE = f"""<title>Erreur 404 | La Grange</title>{LINKS}<main><h1>Page introuvable</h1><p>La page que vous
recherchez n'existe pas ou a été déplacée.</p><a href=/>Retour à l'accueil</a></main>{FOOTER}"""
RUSSIAN = "<title>404 — Амбар</title><h1>Страница не найдена</h1><p>Возможно, она удалена. <a href=/>На главную</a>"
JAPANESE = "<title>納屋</title><h1>ページが見つかりません</h1><p>お探しのページは削除された可能性があります。"
KEYS = """<title>Threshing day, the film</title><div class=player><h2>Keyboard Shortcuts</h2><ul><li>Shortcuts
Open/Close / or ?</li><li>Play/Pause SPACE</li><li>Increase Volume ↑</li><li>Decrease Volume ↓</li><li>Seek Forward
→</li> <li>Seek Backward ←</li><li>Captions On/Off c</li><li>Fullscreen/Exit Fullscreen f</li><li>Mute/Unmute
m</li></ul></div>"""


@pytest.mark.parametrize(
    ("html", "status"),
    [
        (CLOUDFLARE, "blocked"),
        (PERIMETERX, "blocked"),
        (AKAMAI, "blocked"),
        ("<title>barn.example</title><body><p id=cmsg>Please enable JS and disable any ad blocker</p>", "blocked"),
        ("<title>barn</title><script>var dd={'host':'geo.captcha-delivery.com'}</script>", "blocked"),
        ("<script>window.KPSDK={};KPSDK.now=1</script><script src=/149e9513/ips.js></script>", "blocked"),
        ("<iframe id=main-iframe src='/_Incapsula_Resource?SWUDNSAI=31'>Request unsuccessful.</iframe>", "blocked"),
        ("<title>Вы не робот?</title><p>Подтвердите, что запросы отправляли вы, а не робот</p>", "blocked"),
        ("<title>百度安全验证</title><p>网络不给力，请稍后重试</p>", "blocked"),
        (GOOGLE, "consent"),
        (PUR, "consent"),
        (LOGIN, "login"),
        (MEMBERS, "login"),
        (RIGHT_BACK, "unavailable"),
        (WARTUNG, "unavailable"),
        ("<title>503 Service Unavailable</title><h1>Service Unavailable</h1><p>Please try again later.", "unavailable"),
        (NOT_FOUND, "not_found"),
        (INTROUVABLE, "not_found"),
        (RUSSIAN, "not_found"),
        (JAPANESE, "not_found"),
        (
            "<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL was not found here.",
            "not_found",
        ),
        (KEYS, "controls"),
    ],
)
def test_a_page_in_place_of_the_content_has_a_status_that_says_what_to_try(html: str, status: str) -> None:
    result = thresher.extract(html)
    assert result.status == status
    assert any(warning.startswith(f"{status}: ") and ";" in warning for warning in result.warnings)
    assert result.confidence is not None
    assert result.confidence < 0.1


@pytest.mark.parametrize(
    "html",
    [
        f"<title>404 Not Found - HTTP | Docs</title><h1>404 Not Found</h1><p>The 404 Not Found status says that the "
        f"server cannot find the requested resource.</p>{PROSE * 3}",
        f"<title>Page not found</title><article><h1>Page not found</h1><time>2 May 2020</time>{PROSE * 8}</article>",
        f"<title>Access denied: life at the border</title><article><h1>Access denied</h1>{PROSE * 8}</article>",
        f"<title>Error 500 after an update - Forum</title><h1>Error 500</h1><time>2020</time><div>{PROSE * 2}I get an "
        f"error. Please try again later, it says.</div>",
        f"<title>Keyboard shortcuts</title><h1>Keyboard shortcuts</h1><ul><li>Ctrl+C copies the words<li>Ctrl+V pastes "
        f"the words that were copied<li>F11 shows the window fullscreen</ul>{PROSE}",
        f"<title>Privacy policy</title><h1>Privacy policy</h1><p>{'We use cookies and share personal data. ' * 9}</p>"
        f"<button>Accept all</button>",
        f"<title>Flails</title><h1>Flails</h1>{PROSE}<div>We use cookies and our partners do, and you may consent to "
        f"all of it or to none at all, as you wish.<button>Accept all</button></div>",
        "<title>Flails</title><h1>Flails</h1><p>Our flail is made of ash, and lasts for many years of work.</p>"
        "<p>You must be logged in to post a comment.</p>",
        "<title>Flail, ash</title><h1>Flail, ash</h1><p>Our flail is made of ash. $20</p><div><h3>Login</h3><form>"
        "<input type=password></form></div>",
        "<title>Flails</title><h1>Flails</h1><p>Our flail is made of ash, and lasts for many years of work.</p>"
        "<h2>Nothing here</h2><p>More next week.</p>",
        f"<title>Barn maintenance</title><h1>Maintenance</h1>{PROSE}",
    ],
)
def test_a_page_about_such_pages_is_content(html: str) -> None:
    assert thresher.extract(html).status == "ok"
