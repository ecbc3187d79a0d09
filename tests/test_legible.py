"""Legacy text whose declaration is missing or wrong, but that reads like a language in one encoding only."""

from __future__ import annotations

import unicodedata

import pytest

from thresher.parse.encoding.decode import decode
from thresher.parse.encoding.guess import guess_encoding, is_misread

NEWS = {
    "zh": "政府周二通过了一项新法案，旨在改善医院的工作条件。经过长时间的谈判，各党派就提高全体医护人员工资"
    "的折中方案达成了一致"
    "。专家认为，这项法案将在未来几年内产生深远影响。",
    "zh-TW": "政府週二通過了一項新法案，旨在改善醫院的工作條件。經過長時間的談判，各黨派就提高全體醫護人員薪資"
    "的折衷方案達成了一致"
    "。專家認為，這項法案將在未來幾年內產生深遠影響。",
    "ja": "政府は火曜日、病院の労働環境を改善するための新しい法案を可決した。長い交渉の末、各党は全ての医療"
    "従事者の賃金を引き上"
    "げる妥協案で合意した。専門家は、この法案が今後数年間に大きな影響を与えるとみている。",
    "ko": "정부는 화요일 병원의 근무 환경을 개선하기 위한 새로운 법안을 통과시켰다. 오랜 협상 "
    "끝에 각 당은 모든"
    " 의료 종사자의 임금을 인상하는 타협안에 합의했다. 전문가들은 이 법안이 앞으로 몇 년"
    "간 큰 영향을 미칠"
    " 것으로 보고 있다.",
    "th": "รัฐบาลเห็นชอบกฎหมายฉบับใหม่เมื่อวันอังคาร ซึ่งจะช่วยปรับปรุงสภาพการทำงานในโรงพยาบาลทั่วประเทศ หลังจา"
    "กการเจรจาอันยาวนาน พรรคการเมืองต่างๆ ตกลงกันได้ในข้อประนีประนอมที่ให้ค่าจ้างสูงขึ้นสำหรับทุกคน",
    "ru": "Правительство во вторник приняло новый закон, который должен улучшить условия труда в больницах. Пос"
    "ле долгих переговоров партии договорились о компромиссе, который предусматривает более высокие зарпл"
    "аты для всех.",
    "uk": "Уряд у вівторок ухвалив новий закон, який має поліпшити умови праці в лікарнях. Після довгих перегов"
    "орів партії домовилися про компроміс, що передбачає вищі зарплати для всіх працівників.",
    "ar": "أقرت الحكومة يوم الثلاثاء قانونا جديدا من شأنه تحسين ظروف العمل في المستشفيات. وبعد مفاوضات طويلة ات"
    "فقت الأحزاب على حل وسط ينص على رفع أجور جميع العاملين في القطاع.",
    "fa": "دولت روز سهشنبه قانون جدیدی را تصویب کرد که باید شرایط کار در بیمارستانها را بهتر کند. پس از مذاکرات"
    " طولانی، احزاب بر سر مصالحهای توافق کردند که دستمزد بالاتری را برای همه پیشبینی میکند.",
    "el": "Η κυβέρνηση ενέκρινε την Τρίτη έναν νέο νόμο που θα βελτιώσει τις συνθήκες εργασίας στα νοσοκομεία. "
    "Ύστερα από μακρές διαπραγματεύσεις τα κόμματα κατέληξαν σε συμβιβασμό που προβλέπει υψηλότερους μισθ"
    "ούς για όλους.",
    "vi": "Chính phủ hôm thứ Ba đã thông qua một đạo luật mới nhằm cải thiện điều kiện làm việc trong các bệnh "
    "viện. Sau nhiều cuộc đàm phán kéo dài, các đảng đã đạt được thỏa hiệp về mức lương cao hơn cho tất c"
    "ả mọi người.",
}
WRITTEN = [
    ("zh", "gb18030", "gb18030"), ("zh-TW", "big5", "big5"), ("ja", "cp932", "shift_jis"), ("ja", "euc_jp", "euc-jp"),
    ("ko", "cp949", "euc-kr"), ("th", "cp874", "windows-874"),
    ("ru", "cp1251", "windows-1251"), ("ru", "koi8_r", "koi8-u"),
    ("ru", "iso8859_5", "iso-8859-5"), ("ru", "cp866", "ibm866"), ("uk", "cp1251", "windows-1251"),
    ("ar", "cp1256", "windows-1256"),
    ("fa", "cp1256", "windows-1256"), ("el", "cp1253", "windows-1253"), ("vi", "cp1258", "windows-1258"),
]  # fmt: skip
LIES = ["iso-8859-1", "windows-1251", "koi8-r", "gb2312", "big5", "shift_jis", "euc-kr", "windows-874", "utf-8"]


def news(language: str, codec: str) -> str:
    text = NEWS[language]
    return unicodedata.normalize("NFD", text).replace("Đ", "Đ") if codec == "cp1258" else text


@pytest.mark.parametrize(("language", "codec", "name"), WRITTEN)
def test_an_encoding_is_told_by_what_it_makes_of_the_text(language, codec, name):
    assert guess_encoding(news(language, codec).encode(codec, "xmlcharrefreplace")) == name


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize(("language", "codec", "name"), WRITTEN)
def test_no_declaration_costs_a_paragraph(language, codec, name, lie):
    html = f'<html><head><meta charset="{lie}"></head><body><p>{news(language, codec)}</p></body></html>'
    data = html.encode(codec, "xmlcharrefreplace")
    assert decode(data).text == data.decode(codec)


@pytest.mark.parametrize(("language", "codec", "name"), WRITTEN)
def test_a_true_declaration_is_believed(language, codec, name):
    assert is_misread(news(language, codec).encode(codec, "xmlcharrefreplace"), name) is None
    assert (
        decode(f"<meta charset={name}><p>{news(language, codec)}".encode(codec, "xmlcharrefreplace")).source == "meta"
    )


@pytest.mark.parametrize(
    "text", ["Café Zoë, naïve façade — €5 “quoted”", "Åsa Öberg, Jürgen Müller, José Ñuñez", "• • • ©", ""]
)
def test_a_few_accents_are_no_reason_to_doubt(text):
    data = text.encode("cp1252")
    assert guess_encoding(data) is None
    assert is_misread(data, "windows-1252") is None


@pytest.mark.parametrize(("codec", "encoding"), [("iso8859_2", "iso-8859-2"), ("cp1250", "windows-1250")])
def test_letters_that_another_encoding_takes_for_signs_count(codec: str, encoding: str) -> None:
    text = (
        "Na skraju puszczy są już łąki, na które żubry przychodzą niemal codziennie. Ktoś musi się nimi zająć, więc "
        "gmina dzierżawi nieużytki, także te, z których rolnicy rezygnują. Szkody są dziś mniejsze, a wieś też zyskuje."
    )
    assert guess_encoding(text.encode(codec)) == encoding
