"""Bytes to text: every encoding of the standard, and every way in which a declaration can be wrong."""

from __future__ import annotations

import random
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from thresher.parse.encoding import declared as prescan
from thresher.parse.encoding import decode as module
from thresher.parse.encoding.codecs import convert
from thresher.parse.encoding.decode import decode

TEXTS = {
    "Arabic": "في الخريف تعمل الطاحونة في طرف القرية من الصباح الباكر حتى وقت متأخر من المساء. يحضر الفلاحون "
    "القمح ويزن الطحان الأكياس ويكتب كل واحد منها في دفتر سميك، ثم يعود الجميع إلى بيوتهم.",
    "Chinese": "秋天,村边的磨坊从清早一直忙到深夜。农民们把粮食送来,磨坊主称好每一袋,再一笔一笔记在厚厚的本子上。"
    "只有晒干的小麦才能磨出好面粉,这是大家都知道的道理。",
    "Czech": "Na podzim pracuje mlýn na kraji vesnice od časného rána do pozdního večera. Sedláci přivážejí obilí "
    "a mlynář váží pytle a každý zapisuje do tlustého sešitu. Dobrá mouka je jen ze suché pšenice, říká žák.",
    "French": "À l'automne, le moulin au bord du village travaille du matin jusqu'à la nuit. Les paysans apportent "
    "le blé, le meunier pèse les sacs et note chacun d'eux dans un cahier épais. Un sac coûte 12 €, dit sa sœur.",
    "German": "Im Herbst läuft die Mühle am Rand des Dorfes vom frühen Morgen bis in die späte Nacht. Der Müller "
    "wägt die Säcke und trägt jeden in ein großes Heft ein. „Gutes Mehl“ gibt es nur aus trockenem Weizen.",
    "Greek": "Το φθινόπωρο ο μύλος στην άκρη του χωριού δουλεύει από νωρίς το πρωί μέχρι αργά το βράδυ. Οι αγρότες "
    "φέρνουν το σιτάρι και ο μυλωνάς ζυγίζει τα σακιά και τα γράφει σε ένα χοντρό τετράδιο.",
    "Hebrew": "בסתיו הטחנה שבקצה הכפר עובדת משעות הבוקר המוקדמות ועד שעות הערב המאוחרות. האיכרים מביאים את התבואה "
    "והטוחן שוקל את השקים ורושם כל אחד מהם במחברת עבה.",
    "Icelandic": "Á haustin gengur myllan í jaðri þorpsins frá morgni til kvölds. Bændurnir koma með kornið og "
    "malarinn vegur sekkina og skráir hvern þeirra í þykka bók.",
    "Japanese": "秋になると、村はずれの水車小屋は朝早くから夜遅くまで動いています。農家の人たちが麦を運び、粉屋は"
    "袋の重さを量って、厚いノートに書きとめます。よく乾いた小麦からしか、よい粉はできません。",
    "Korean": "가을이 되면 마을 끝의 방앗간은 이른 아침부터 늦은 밤까지 돌아갑니다. 농부들이 곡식을 가져오면 "
    "방앗간 주인은 자루의 무게를 달아 두꺼운 공책에 적습니다. 좋은 밀가루는 잘 마른 밀에서만 나옵니다.",
    "Latvian": "Rudenī dzirnavas ciema malā strādā no agra rīta līdz vēlam vakaram. Zemnieki atved graudus, un "
    "dzirnavnieks sver maisus un katru ieraksta biezā burtnīcā. Labi milti rodas tikai no sausiem kviešiem.",
    "Lithuanian": "Rudenį kaimo pakraštyje stovintis malūnas dirba nuo ankstyvo ryto iki vėlyvo vakaro. Ūkininkai "
    "atveža grūdus, o malūnininkas sveria maišus ir kiekvieną įrašo į storą sąsiuvinį.",
    "Maltese": "Fil-ħarifa l-mitħna f'tarf ir-raħal taħdem minn filgħodu kmieni sa tard filgħaxija. Il-bdiewa "
    "jġibu l-qamħ u t-taħħan jiżen l-ixkejjer u jikteb kull waħda fi ktieb oħxon.",
    "Polish": "Jesienią młyn na skraju wsi pracuje od wczesnego ranka do późnego wieczora. Chłopi przywożą zboże, "
    "a młynarz waży worki i każdy zapisuje w grubym zeszycie. Dobra mąka powstaje tylko z suchej pszenicy, więc "
    "trzeba się śpieszyć.",
    "Romanian": "Toamna, moara de la marginea satului lucrează de dimineață până seara târziu. Țăranii aduc grâul, "
    "iar morarul cântărește sacii și îi scrie pe toți într-un caiet gros, așa știe toată lumea.",
    "Russian": "Осенью мельница на краю деревни работает с раннего утра до позднего вечера. Крестьяне привозят "
    "зерно, а мельник взвешивает мешки и записывает каждый в толстую тетрадь.",
    "Taiwanese": "秋天,村邊的磨坊從清早一直忙到深夜。農民們把糧食送來,磨坊主稱好每一袋,再一筆一筆記在厚厚的本子上。"
    "只有曬乾的小麥才能磨出好麵粉,這是大家都知道的道理。",
    "Thai": "ในฤดูใบไม้ร่วง โรงสีที่ชายหมู่บ้านทำงานตั้งแต่เช้าตรู่จนถึงดึก ชาวนานำข้าวมา คนสีข้าวชั่งกระสอบและจดลงในสมุดเล่มหนา",
    "Turkish": "Sonbaharda köyün kıyısındaki değirmen sabahın erken saatlerinden akşamın geç saatlerine kadar "
    "çalışır. Çiftçiler buğdayı getirir, değirmenci çuvalları tartar ve her birini kalın bir deftere yazar.",
    "Ukrainian": "Восени млин на краю села працює з раннього ранку до пізнього вечора. Селяни привозять зерно, а "
    "мельник зважує мішки і записує кожний у товстий зошит. Її діти теж їдуть з ґанку до поля.",
    "Vietnamese": "Vào mùa thu, cối xay ở cuối làng chạy từ sáng sớm đến tận khuya. Nông dân chở thóc đến, người "
    "thợ xay cân từng bao rồi ghi vào một quyển sổ dày. Chỉ có lúa mì khô mới cho ra bột ngon.",
    "Welsh": "Yn yr hydref mae'r felin yn gweithio o fore gwyn tan nos. Daw'r ffermwyr â'r ŷd, ac mae'r melinydd "
    "yn pwyso'r sachau. Dŵr sy'n troi'r olwyn, ac mae'r tŷ yn crynu.",
}  # fmt: skip
# (name in the standard, Python's codec, language, what an undeclared page is taken for)
ENCODINGS = [
    ("ibm866", "cp866", "Russian", "ibm866"),
    ("iso-8859-2", "iso8859_2", "Polish", "iso-8859-2"),
    ("iso-8859-3", "iso8859_3", "Maltese", "iso-8859-3"),
    ("iso-8859-4", "iso8859_4", "Latvian", "iso-8859-4"),
    ("iso-8859-5", "iso8859_5", "Russian", "iso-8859-5"),
    ("iso-8859-6", "iso8859_6", "Arabic", "iso-8859-6"),
    ("iso-8859-7", "iso8859_7", "Greek", "iso-8859-7"),
    ("iso-8859-8", "iso8859_8", "Hebrew", "windows-1255"),
    ("iso-8859-8-i", "iso8859_8", "Hebrew", "windows-1255"),
    ("iso-8859-10", "iso8859_10", "Icelandic", "windows-1252"),
    ("iso-8859-13", "iso8859_13", "Lithuanian", "iso-8859-13"),
    ("iso-8859-14", "iso8859_14", "Welsh", None),
    ("iso-8859-15", "iso8859_15", "French", None),
    ("iso-8859-16", "iso8859_16", "Romanian", "iso-8859-16"),
    ("koi8-r", "koi8_r", "Russian", "koi8-u"),
    ("koi8-u", "koi8_u", "Ukrainian", "koi8-u"),
    ("macintosh", "mac_roman", "French", None),
    ("windows-874", "cp874", "Thai", "windows-874"),
    ("windows-1250", "cp1250", "Czech", "windows-1250"),
    ("windows-1251", "cp1251", "Russian", "windows-1251"),
    ("windows-1252", "cp1252", "German", "windows-1252"),
    ("windows-1253", "cp1253", "Greek", "iso-8859-7"),
    ("windows-1254", "cp1254", "Turkish", "windows-1254"),
    ("windows-1255", "cp1255", "Hebrew", "windows-1255"),
    ("windows-1256", "cp1256", "Arabic", "windows-1256"),
    ("windows-1257", "cp1257", "Lithuanian", "iso-8859-13"),
    ("windows-1258", "cp1258", "Vietnamese", "windows-1258"),
    ("x-mac-cyrillic", "mac_cyrillic", "Russian", "x-mac-cyrillic"),
    ("gb18030", "gb18030", "Chinese", "gb18030"),
    ("big5", "big5hkscs", "Taiwanese", "big5"),
    ("euc-jp", "euc_jp", "Japanese", "euc-jp"),
    ("iso-2022-jp", "iso2022_jp", "Japanese", "iso-2022-jp"),
    ("shift_jis", "cp932", "Japanese", "shift_jis"),
    ("euc-kr", "cp949", "Korean", "euc-kr"),
    ("utf-8", "utf-8", "Vietnamese", "utf-8"),
]
WIDE = [("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be"), ("utf-32le", "utf-32-le"), ("utf-32be", "utf-32-be")]
declared = pytest.mark.parametrize(("name", "codec", "language"), [row[:3] for row in ENCODINGS])


def read_as(text: str, encoding: str, source: str, replaced: int) -> module.Decoded:
    return module.Decoded(text.encode(), encoding, source, replaced)


def page(language: str, codec: str = "", head: str = "") -> str:
    text = TEXTS[language]
    if codec == "cp1258":  # has tones as combining characters only, the other diacritics in the letter
        text = "".join(_with_loose_tone(character) for character in text)
    return f"<!DOCTYPE html><html><head>{head}<title>1</title></head><body><p>{text}</p></body></html>"


def _with_loose_tone(character: str) -> str:
    letter, *marks = unicodedata.normalize("NFD", character)
    tone = "".join(mark for mark in marks if mark in "\u0300\u0301\u0303\u0309\u0323")
    return unicodedata.normalize("NFC", "".join([letter, *(m for m in marks if m not in tone)])) + tone


# Every encoding


@declared
def test_the_transport_names_the_encoding(name, codec, language):
    html = page(language, codec)
    found = decode(html.encode(codec), transport=name.upper())
    assert (found.text, found.encoding, found.source, found.replaced) == (html, name, "transport", 0)


@declared
def test_a_meta_names_the_encoding(name, codec, language):
    html = page(language, codec, f'<meta charset="{name}">')
    found = decode(html.encode(codec))
    assert (found.text, found.encoding, found.source, found.replaced) == (html, name, "meta", 0)


@pytest.mark.parametrize(("codec", "language", "taken_for"), [row[1:] for row in ENCODINGS if row[3]])
def test_a_paragraph_without_a_declaration_is_enough(codec, language, taken_for):
    html = page(language, codec)
    found = decode(html.encode(codec))
    assert (found.text, found.encoding) == (html, taken_for)
    assert found.source in {"detector", "utf-8"} or found.encoding == "windows-1252"


@pytest.mark.parametrize(("name", "codec"), WIDE)
@pytest.mark.parametrize("language", ["Russian", "Chinese", "French"])
def test_wide_encodings_work_with_a_bom_a_transport_and_alone(name, codec, language):
    html = page(language)
    data = html.encode(codec)
    assert decode("\ufeff".encode(codec) + data) == read_as(html, name, "bom", 0)
    assert decode(data, name) == read_as(html, name, "transport", 0)
    assert decode(data) == read_as(html, name, "detector", 0)


def test_the_table_has_every_label_once_and_every_encoding_decodes():
    labels = prescan._labels()
    assert len(labels) == 228 + 3  # the standard's, and UTF-32
    for name in set(labels.values()) - {"replacement", "utf-8", *dict(WIDE)}:
        assert convert(b"<p>", name) == ("<p>", 0)
    assert labels["iso-8859-1"] == "windows-1252"
    assert labels["gb2312"] == "gb18030"
    assert labels["ks_c_5601-1987"] == "euc-kr"


def test_an_encoding_is_known_by_any_spelling_of_its_labels_and_by_the_names_that_python_has():
    for label, name in prescan._labels().items():
        assert prescan.encoding_named(label) == prescan.encoding_named(label.upper().replace("-", "_")) == name
    for name, wanted in {"latin_1": "windows-1252", "u8": "utf-8", "cp936": "gb18030", "euc_jp": "euc-jp"}.items():
        assert prescan.encoding_named(name) == wanted
    for name in ("", "nonsense", "cp437", "rot13", "a\0b", "\ud800", "é" * 5000):
        assert prescan.encoding_named(name) is None


# Who is believed


def test_a_bom_beats_transport_and_meta_and_is_not_text():
    html = '<meta charset="gbk"><p>é</p>'
    for mark in (b"\xef\xbb\xbf", b""):
        found = decode(mark + html.encode(), "windows-1251")
        assert (found.text, found.encoding) == (html, "utf-8")
        assert found.source == ("bom" if mark else "utf-8")


def test_the_transport_beats_the_meta():
    html = page("Russian", head='<meta charset="koi8-r">')
    found = decode(html.encode("cp1251"), "windows-1251")
    assert (found.text, found.source) == (html, "transport")


@pytest.mark.parametrize("label", ["iso-8859-1", "US-ASCII", "latin1"])
def test_the_default_of_http_does_not_beat_the_meta(label):
    html = page("Russian", head='<meta charset="koi8-r">')
    found = decode(html.encode("koi8_r"), label)
    assert (found.text, found.encoding, found.source) == (html, "koi8-r", "meta")
    assert decode("é".encode("cp1252"), label) == read_as("é", "windows-1252", "transport", 0)


@pytest.mark.parametrize("label", ["", "nonsense", "utf-99"])
def test_an_unknown_label_is_as_none(label):
    html = page("Russian", head='<meta charset="koi8-r">')
    assert decode(html.encode("koi8_r"), label) == decode(html.encode("koi8_r"))
    assert decode(b"<p>plain", label) == read_as("<p>plain", "utf-8", "utf-8", 0)


@pytest.mark.parametrize("label", ["hz-gb-2312", "ISO-2022-KR", "iso-2022-cn-ext", "csiso2022kr", "replacement"])
def test_a_page_in_a_refused_encoding_is_one_replacement_character(label):
    hidden = b"<p>~{<script>~}</p>"
    for data, transport in ((hidden, label), (f'<meta charset="{label}">'.encode() + hidden, None)):
        decoded = decode(data, transport)
        assert (decoded.text, decoded.encoding, decoded.replaced) == ("\ufffd", "replacement", 1)
    assert decode(b"", label).text == ""
    assert decode("<p>é".encode(), label).encoding == "utf-8"
    assert decode(hidden, "utf-8").text == hidden.decode()


def test_a_refused_encoding_is_a_status_that_says_what_to_do():
    result = thresher.extract(b'<meta charset="hz-gb-2312"><p>' + b"A harbour and its boats. " * 20)
    assert (result.status, result.text) == ("decode_error", "")
    assert "give `encoding`" in result.warnings[0]


@pytest.mark.parametrize(
    "broken", [b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff", b"\xff\xfe\x00\x00", b"\xff", b"\xc3("]
)
@pytest.mark.parametrize("transport", [None, "utf-8", "utf-16", "utf-32le"])
def test_broken_bytes_in_a_page_are_no_wide_encoding(broken, transport):
    sentences = b"".join(b"<p>The boat " + broken + b" lies in the harbour, number %d.</p>" % i for i in range(30))
    decoded = decode(b"<meta charset=utf-8><title>Boats</title>" + sentences, transport)
    assert decoded.encoding not in {name for name, _ in WIDE}
    assert decoded.text.count("lies in the harbour") == 30


@pytest.mark.parametrize("label", [" UTF-8\n", '"utf-8"', "'utf8'"])
def test_labels_are_trimmed(label):
    assert decode(b"x", label).source == "transport"


@pytest.mark.parametrize("lie", ["iso-8859-1", "windows-1252", "gbk", "shift_jis", "koi8-r", "utf-16", "iso-2022-jp"])
@pytest.mark.parametrize("language", ["French", "Chinese", "Russian"])
def test_well_formed_utf8_wins_over_a_lie(lie, language):
    html = page(language, head=f'<meta charset="{lie}">')
    assert decode(html.encode(), lie).text == html
    assert decode(html.encode()).text == html


@pytest.mark.parametrize("lie", ["utf-8", "utf-16", "euc-jp", "shift_jis", "iso-8859-6", "iso-2022-jp"])
@pytest.mark.parametrize("where", ["transport", "meta"])
def test_a_lie_that_would_cost_the_text_goes_to_the_detector(lie, where):
    html = page("Russian", head=f'<meta charset="{lie}">' if where == "meta" else "")
    found = decode(html.encode("cp1251"), lie if where == "transport" else None)
    assert (found.text, found.encoding, found.source) == (html, "windows-1251", "detector")


def test_ascii_that_is_called_utf16_is_ascii():
    assert decode(b"<p>plain</p>", "utf-16") == read_as("<p>plain</p>", "utf-8", "utf-8", 0)


def test_stray_nul_bytes_do_not_make_a_page_utf16():
    text = "<p>The end of a\0 string in C, and another\0 one, odd and even</p>"
    assert decode(text.encode()).text == text


def test_a_lying_transport_leaves_the_word_to_the_meta():
    html = page("Russian", head='<meta charset="koi8-r">')
    found = decode(html.encode("koi8_r"), "utf-8")
    assert (found.text, found.encoding, found.source) == (html, "koi8-r", "meta")


def test_a_lying_utf8_bom_does_not_cost_the_text():
    html = page("Russian")
    found = decode(b"\xef\xbb\xbf" + html.encode("cp1251"))
    assert (found.text, found.encoding) == (html, "windows-1251")


def test_a_few_western_letters_called_utf8_are_windows_1252():
    data = "<meta charset=utf-8><p>Café “chez René” – naïve</p>".encode("cp1252")
    found = decode(data)
    assert (found.text, found.source) == (data.decode("cp1252"), "fallback")


@pytest.mark.parametrize(
    "sentence",
    [
        "The price of the house – a small one – is £90.000, the agent’s “last word” on it… so be it. ",
        "The jalapeño and the piñata of Señor Muñoz in El Niño. ",
        "Nescafé® is India’s coffee. The history of coffee – origins and story. Nescafé INDIA É® ",
    ],
)
def test_english_with_a_few_accents_is_windows_1252_to_us_if_not_to_the_detector(sentence):
    found = decode((sentence * 8).encode("cp1252"))
    assert (found.text, found.encoding) == (sentence * 8, "windows-1252")


def test_scattered_foreign_characters_are_no_text():
    assert not module._plausible("Let 値 me 榹 go 簧 on and 控 on", 0)
    assert not module._plausible("Three letters in forty lines of English. " * 40 + "Ł ő ž", 0)
    assert module._plausible("值得一提,控制好", 0)


@pytest.mark.parametrize("seed", [14, 19, 21])  # all Big5 to the detector
def test_noise_is_not_what_the_detector_takes_it_for(seed):
    assert decode(random.Random(seed).randbytes(400)).source == "fallback"


def test_iso_8859_2_with_windows_letters_is_windows_1250():
    html = page("Czech", head='<meta charset="iso-8859-2">')
    found = decode(html.encode("cp1250"))
    assert (found.text, found.encoding, found.source) == (html, "windows-1250", "meta")


# The prescan

RUSSIAN = "<p>Зерно</p>"


@pytest.mark.parametrize(
    "head",
    [
        "<meta charset=koi8-r>",
        "<META\nCHARSET = 'KOI8-R' />",
        "<meta/charset=koi8-r>",
        '<meta name=a charset="koi8-r" charset="utf-8">',
        '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        "<meta content=\"text/html; charset = 'koi8-r'; x\" http-equiv=content-type>",
        "<meta content='charset charset=koi8-r' http-equiv=content-type>",
        '<!-- <meta charset="utf-8"> --><meta charset="koi8-r">',
        '<!--><meta charset="koi8-r">-->',
        '<a title="<meta charset=gbk>"><meta charset="koi8-r">',
        '<meta charset="nonsense"><meta charset="koi8-r">',
        '<meta content="text/html; charset=gbk"><meta charset="koi8-r">',
        "<script>'<meta charset=gbk>'</script><meta charset=koi8-r>",
        "<!DOCTYPE html '<meta'><?php echo ?></p x='<meta charset=gbk>'><meta charset=koi8-r>",
        '<?xml version="1.0" encoding="koi8-r"?>',
        "<?xml version='1.0' encoding = 'KOI8-R' standalone='yes'?>",
        '<?xml version="1.0" encoding="gbk"?><meta charset="koi8-r">',
        " " * 10_000 + "<meta charset=koi8-r>",
    ],
)
def test_the_meta_is_found(head):
    found = decode((head + RUSSIAN).encode("koi8_r"))
    assert (found.text, found.encoding, found.source) == (head + RUSSIAN, "koi8-r", "meta")


@pytest.mark.parametrize(
    "head",
    [
        '<!-- <meta charset="koi8-r">',
        "<style><meta charset=koi8-r></style>",
        '<a title="<meta charset=koi8-r>">',
        '<meta name="x" content="text/html; charset=koi8-r">',
        "<metadata charset=koi8-r>",
        "<meta data-charset=koi8-r>",
        "<p>charset=koi8-r",
        ' <?xml version="1.0" encoding="koi8-r"?>',
    ],
)
def test_what_only_looks_like_a_meta_is_none(head):
    assert decode((head + RUSSIAN).encode("koi8_r")).source == "fallback"


def test_utf16_in_a_meta_means_utf8_and_x_user_defined_means_windows_1252():
    assert decode(b"<meta charset=utf-16><p>x") == read_as("<meta charset=utf-16><p>x", "utf-8", "meta", 0)
    found = decode(b"<meta charset=x-user-defined>\xe9")
    assert (found.text[-1], found.encoding) == ("é", "windows-1252")
    assert decode(b"\xe9", "x-user-defined").text == "\uf7e9"


# Damage


def test_a_download_cut_in_a_character_stays_utf8():
    data = page("Japanese").encode()
    cut = data[: data.rindex("ん".encode()) + 2]
    found = decode(cut)
    assert (found.encoding, found.source, found.replaced) == ("utf-8", "utf-8", 1)
    assert found.text == cut[:-2].decode() + "\ufffd"


def test_a_cut_page_that_declares_a_legacy_encoding_is_still_utf8():
    data = page("French", head="<meta charset=iso-8859-1>").encode()
    cut = data[: data.rindex("œ".encode()) + 1]
    assert decode(cut).text == cut[:-1].decode() + "\ufffd"


def test_one_bad_byte_in_a_utf8_page_is_replaced_and_counted():
    html = page("Greek")
    found = decode(html.encode().replace(b"</p>", b"\xe9\xff</p>"))
    assert (found.text, found.replaced) == (html.replace("</p>", "\ufffd\ufffd</p>"), 2)


def test_a_declared_utf8_page_with_a_legacy_part_keeps_its_utf8():
    found = decode("<meta charset=utf-8>été, hôtel".encode() + "é".encode("cp1252") + b".")
    assert (found.text, found.source) == ("<meta charset=utf-8>été, hôtel\ufffd.", "meta")


def test_a_u_fffd_of_the_page_itself_is_not_counted():
    assert decode("\ufffdé".encode()).replaced == 0
    found = decode(("\ufffd" * 5 + "é" * 20).encode() + b"\xff.")
    assert (found.text, found.replaced) == ("\ufffd" * 5 + "é" * 20 + "\ufffd.", 1)
    assert decode(b"\xff\xfe" + "\ufffd".encode("utf-16-le")).replaced == 0
    assert decode("\ufffd".encode("gb18030"), "gb18030").replaced == 0


def test_undefined_bytes_of_windows_code_pages_are_c1_controls():
    c1 = b"\x81\x8d\x8f\x90\x9d"
    assert decode(c1, "windows-1252") == read_as("\x81\x8d\x8f\x90\x9d", "windows-1252", "transport", 0)
    assert decode(b"\x98", "windows-1251").text == "\x98"
    assert decode("Ș".encode("iso8859_16") + b"\x81", "windows-874").text[1] == "\x81"


def test_bytes_the_standard_leaves_undefined_are_replaced():
    found = decode("Οι αγρότες φέρνουν το".encode("cp1253") + b"\xff", "windows-1253")
    assert (found.text, found.replaced) == ("Οι αγρότες φέρνουν το\ufffd", 1)


def test_where_pythons_tables_differ_the_standard_holds():
    assert decode(b"\xae\xbe", "koi8-u").text == "ўЎ"
    assert decode(b"\xca", "windows-1255").text == "\u05ba"
    assert decode(b"\x80", "gbk").text == "€"
    assert decode(b"\xa3\xe1\xa1\x45", "big5").text == "€‧"
    assert decode(b"\xad\xa1\xa1\xc1\xfc\xe2", "euc-jp").text == "①～髙"
    assert decode(b"\x87\x40\x81\x60", "shift_jis").text == "①～"


@pytest.mark.parametrize(("name", "bad"), [("euc-jp", b"\xa9\xa1"), ("euc-jp", b"\x8f\xff\xff"), ("big5", b"\xa3\xfe")])
def test_a_bad_pair_does_not_put_the_line_out_of_step(name, bad):
    good = "粉屋は麦の重さを量って".encode("euc_jp" if name == "euc-jp" else "big5hkscs", "ignore")
    clean = decode(good, name).text
    assert decode(good + bad + good, name).text == f"{clean}\ufffd{clean}"


def test_half_a_character_does_not_swallow_a_tag():
    for name, codec in (
        ("gbk", "gbk"),
        ("big5", "big5"),
        ("shift_jis", "cp932"),
        ("euc-kr", "cp949"),
        ("euc-jp", "euc_jp"),
    ):
        data = "水中大".encode(codec)
        assert decode(data[:-1] + b"<p>", name).text == "水中\ufffd<p>"


# ISO-2022-JP


def test_iso_2022_jp_has_roman_katakana_and_nec_characters():
    data = b'\x1b(J\\~\x1b(I1\x1b$B-!$"\x1b$@$$\x1b(B\\'
    assert decode(data) == read_as("¥‾ｱ①あい\\", "iso-2022-jp", "detector", 0)
    assert decode(data, "iso-2022-jp").source == "transport"
    assert decode(b"\x1b(J\\100\x1b(B").text == "¥100"
    assert decode(data, "utf-8").text == "¥‾ｱ①あい\\"


def test_the_escapes_of_a_terminal_log_are_no_japanese():
    log = "<meta charset=utf-8><pre>\x1b[1mok\x1b(B\x1b[m</pre>"
    assert decode(log.encode()).text == log
    assert decode((log + "é").encode()).text == log + "é"


# Always


def test_joiners_and_bidi_marks_survive_and_entities_stay():
    text = "<p>می\u200cخواهم क्\u200dष \u200e\u200f\u202a\u2066\u2069\u202c&zwj;&#233; a\ufeffb</p>"
    assert decode(text.encode()).text == text
    assert decode(text.encode("utf-16"), None).text == text
    assert decode("\u200cا\u200d\u200e\u200f".encode("cp1256"), "windows-1256").text == "\u200cا\u200d\u200e\u200f"


def test_any_buffer_will_do():
    data = "é".encode()
    assert decode(bytearray(data)) == decode(memoryview(data)) == decode(data)
    assert decode(b"") == read_as("", "utf-8", "utf-8", 0)


def test_the_detector_is_not_imported_for_utf8(monkeypatch):
    monkeypatch.setitem(sys.modules, "cchardet", None)  # an import would raise
    assert decode(page("Russian").encode()).source == "utf-8"
    with pytest.raises(ImportError):
        decode(page("Russian").encode("cp1251"))


LABELS = st.sampled_from(sorted(prescan._labels())) | st.text(max_size=12) | st.none()
PIECES = st.sampled_from(
    [b"<meta charset=", b"<!--", b"-->", b'"', b"\x1b$B", b"\x1b(B", b"\xff\xfe", b"\0", b"gbk", b">"]
)


@given(st.lists(st.binary(max_size=40) | PIECES).map(b"".join), LABELS)
@example(b"\xff\xfe\x00\xd8", None)
@example(b"\x83\x36\xc7\x39", "gb18030")
@example(b"\x00\xd8\x00\x00", "utf-32")
def test_no_bytes_and_no_label_raise_or_leave_half_a_surrogate(data, label):
    found = decode(data, label)
    found.text.encode("utf-8")
    assert 0 <= found.replaced <= found.text.count("\ufffd")
    assert found.encoding in prescan._labels().values()


@given(st.text(st.characters(exclude_characters="\0\x1b", exclude_categories=["Cs"])), LABELS)
def test_utf8_without_control_tricks_round_trips_whatever_is_said_of_it(text, label):
    assert decode(b"\xef\xbb\xbf" + text.encode()).text == text
    if not text.startswith("\ufeff") and prescan.encoding_named(label or "") != "replacement":
        assert decode(text.encode(), label).text == text


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(WIDE))
def test_wide_text_with_a_bom_round_trips(text, wide):
    name, codec = wide
    if name == "utf-16le" and text.startswith("\0"):
        return  # a BOM and a NUL are the BOM of UTF-32LE
    assert decode(("\ufeff" + text).encode(codec)) == read_as(text, name, "bom", 0)
