"""Every language is told from the others by a few sentences of ordinary prose, and English buttons do not hide it."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.text.language import DATA, ENDING, SAMPLE, _languages_of, _table, detect, normalise, stopwords

# The same short report in every language, so that the subject gives nothing away.
PROSE = """\
en The council voted on Tuesday to close the old swimming pool, which has leaked since last winter.
Residents who came to the meeting said they would rather see it repaired, even if the work takes two
years.

de Am Dienstag hat der Gemeinderat beschlossen, das alte Schwimmbad zu schließen, weil das Dach seit dem
letzten Winter undicht ist. Viele Bürger hätten lieber eine Sanierung gesehen, auch wenn sie mehrere Jahre
dauern würde.

fr Mardi soir, le conseil municipal a décidé de fermer l'ancienne piscine, dont le toit fuit depuis
l'hiver dernier. Les habitants présents auraient préféré une rénovation, même si les travaux devaient
durer deux ans.

es El ayuntamiento decidió el martes cerrar la vieja piscina, cuyo tejado tiene goteras desde el invierno
pasado. Los vecinos que acudieron a la reunión preferían una reforma, aunque las obras duraran dos años.

pt A câmara municipal decidiu na terça-feira fechar a velha piscina, cujo telhado deixa entrar água desde
o inverno passado. Os moradores que foram à reunião preferiam uma reforma, mesmo que as obras demorassem
dois anos.

it Martedì il consiglio comunale ha deciso di chiudere la vecchia piscina, il cui tetto perde acqua dallo
scorso inverno. Gli abitanti presenti alla riunione avrebbero preferito un restauro, anche se i lavori
fossero durati due anni.

nl De gemeenteraad besloot dinsdag om het oude zwembad te sluiten, omdat het dak sinds vorige winter lekt.
Bewoners die naar de vergadering kwamen, zagen liever een renovatie, ook al zou dat twee jaar duren.

sv Kommunfullmäktige beslutade i tisdags att stänga den gamla simhallen, eftersom taket har läckt sedan
förra vintern. De boende som kom till mötet ville hellre se en renovering, även om arbetet skulle ta två
år.

da Byrådet besluttede i tirsdags at lukke den gamle svømmehal, fordi taget har været utæt siden sidste
vinter. Beboerne, der kom til mødet, ville hellere have den sat i stand, selv om arbejdet kommer til at
tage to år.

no Kommunestyret vedtok på tirsdag å stenge den gamle svømmehallen, fordi taket har lekket siden i fjor
vinter. Innbyggerne som kom på møtet, ville heller pusse den opp, selv om arbeidet kommer til å ta to år.

no Kommunestyret vedtok tysdag å stengje den gamle symjehallen, fordi taket har lekt sidan i fjor vinter.
Folk som kom på møtet, ville heller at han skulle pussast opp, og dei sa at dei ikkje hadde fått vite noko
om planane.

fi Kunnanvaltuusto päätti tiistaina sulkea vanhan uimahallin, jonka katto on vuotanut viime talvesta
lähtien. Kokoukseen tulleet asukkaat olisivat halunneet mieluummin remontin, vaikka työ kestäisi kaksi
vuotta.

is Bæjarstjórnin ákvað á þriðjudaginn að loka gömlu sundlauginni, en þakið hefur lekið síðan í fyrravetur.
Íbúar sem komu á fundinn vildu frekar að hún yrði lagfærð, jafnvel þótt verkið tæki tvö ár.

et Linnavolikogu otsustas teisipäeval sulgeda vana ujula, mille katus on möödunud talvest saadik lekkinud.
Koosolekule tulnud elanikud oleksid eelistanud remonti, isegi kui tööd kestaksid kaks aastat.

lv Domes deputāti otrdien nolēma slēgt veco peldbaseinu, kura jumts tek jau kopš pagājušās ziemas.
Iedzīvotāji, kas ieradās uz sanāksmi, labprātāk vēlētos remontu, pat ja darbi ilgtu divus gadus.

lt Miesto taryba antradienį nusprendė uždaryti senąjį baseiną, kurio stogas leidžia vandenį nuo praėjusios
žiemos. Į susirinkimą atėję gyventojai norėtų, kad jis būtų suremontuotas, nors darbai ir truktų dvejus
metus.

pl Rada miasta zdecydowała we wtorek o zamknięciu starego basenu, którego dach przecieka od zeszłej zimy.
Mieszkańcy, którzy przyszli na zebranie, woleliby remont, nawet gdyby prace miały potrwać dwa lata.

cs Zastupitelstvo v úterý rozhodlo, že zavře starý bazén, do kterého od loňské zimy zatéká střechou.
Obyvatelé, kteří přišli na schůzi, by raději viděli opravu, i kdyby měla trvat dva roky.

sk Zastupiteľstvo v utorok rozhodlo, že zatvorí starú plaváreň, do ktorej od minulej zimy zateká cez
strechu. Obyvatelia, ktorí prišli na schôdzu, by radšej videli opravu, aj keby mala trvať dva roky.

hu A képviselő-testület kedden úgy döntött, hogy bezárja a régi uszodát, amelynek teteje tavaly tél óta
beázik. A gyűlésre érkezett lakók inkább felújítást szerettek volna, még akkor is, ha a munka két évig
tart.

ro Consiliul local a hotărât marți să închidă vechea piscină, al cărei acoperiș lasă să intre apa încă din
iarna trecută. Locuitorii veniți la ședință ar fi preferat o renovare, chiar dacă lucrările ar dura doi
ani.

hr Gradsko vijeće u utorak je odlučilo zatvoriti stari bazen, jer krov prokišnjava još od prošle zime.
Stanovnici koji su došli na sjednicu radije bi ga obnovili, čak i ako bi radovi trajali dvije godine, a
dio njih traži novo mjesto za djecu.

sr Odbornici su u utorak odlučili da zatvore stari bazen, jer krov prokišnjava još od prošle zime.
Stanovnici koji su došli na sednicu hteli su da se on obnovi, čak i ako bi radovi trajali dve godine, jer
deca nemaju gde da plivaju.

sr Одборници су у уторак одлучили да затворе стари базен, јер кров прокишњава још од прошле зиме.
Становници који су дошли на седницу хтели су да се он обнови, чак и ако би радови трајали две године.

sl Mestni svet je v torek sklenil, da bo zaprl stari bazen, ker streha pušča že od lanske zime.
Prebivalci, ki so prišli na sejo, bi raje videli obnovo, čeprav bi dela trajala dve leti.

sq Këshilli bashkiak vendosi të martën ta mbyllë pishinën e vjetër, sepse çatia pikon që nga dimri i
kaluar. Banorët që erdhën në mbledhje do të donin më mirë një rindërtim, edhe nëse punimet zgjasin dy
vjet.

tr Belediye meclisi salı günü eski yüzme havuzunu kapatma kararı aldı, çünkü çatı geçen kıştan beri su
alıyor. Toplantıya gelen mahalle sakinleri ise çalışmalar iki yıl sürse bile havuzun onarılmasını istiyor.

az Bələdiyyə çərşənbə axşamı köhnə üzgüçülük hovuzunu bağlamaq qərarına gəldi, çünki dam keçən qışdan bəri
su buraxır. Yığıncağa gələn sakinlər isə işlər iki il çəksə belə, hovuzun təmir olunmasını istəyirlər.

id Dewan kota pada hari Selasa memutuskan untuk menutup kolam renang tua karena atapnya bocor sejak tahun
lalu. Warga yang datang ke pertemuan itu lebih suka kolam tersebut diperbaiki, meskipun pekerjaannya bisa
memakan waktu dua tahun.

ms Majlis bandaran pada hari Selasa memutuskan untuk menutup kolam renang lama kerana bumbungnya bocor
sejak tahun lepas. Penduduk yang hadir pada mesyuarat itu berkata mereka mahu kolam berkenaan dibaiki,
walaupun kerja itu boleh mengambil masa dua tahun.

vi Hôm thứ ba, hội đồng thành phố quyết định đóng cửa bể bơi cũ vì mái nhà bị dột từ mùa đông năm ngoái.
Những người dân đến dự cuộc họp muốn sửa chữa hơn, dù công việc có thể kéo dài hai năm.

tl Nagpasya ang konseho ng lungsod noong Martes na isara ang lumang palanguyan dahil tumutulo ang bubong
mula pa noong nakaraang taon. Mas gusto ng mga residenteng dumalo sa pulong na ayusin ito kahit abutin ng
dalawang taon ang trabaho.

ca L'ajuntament va decidir dimarts tancar la vella piscina, perquè la teulada té goteres des de l'hivern
passat. Els veïns que van anar a la reunió haurien preferit una reforma, encara que les obres duressin dos
anys.

gl O concello decidiu o martes pechar a vella piscina, porque o tellado ten pingueiras desde o inverno
pasado. Os veciños que foron á xuntanza preferían unha reforma, aínda que as obras durasen dous anos.

eu Udalak asteartean erabaki zuen igerileku zaharra ixtea, teilatuak iaz geroztik ura sartzen uzten
duelako. Bilerara joan ziren herritarrek nahiago zuten konpontzea, nahiz eta lanek bi urte iraun behar
izan.

ga Shocraigh an chomhairle Dé Máirt an seanlinn snámha a dhúnadh mar go bhfuil an díon ag ligean uisce
isteach ó bhí an geimhreadh ann. B'fhearr leis na daoine a tháinig chuig an gcruinniú go ndeiseofaí í, fiú
dá mbeadh dhá bhliain i gceist leis an obair.

cy Penderfynodd y cyngor ddydd Mawrth gau yr hen bwll nofio am fod y to wedi bod yn gollwng ers y gaeaf
diwethaf. Byddai'n well gan y trigolion a ddaeth i'r cyfarfod ei weld yn cael ei drwsio, hyd yn oed os
bydd y gwaith yn para dwy flynedd.

af Die stadsraad het Dinsdag besluit om die ou swembad te sluit, want die dak lek al sedert verlede
winter. Inwoners wat na die vergadering gekom het, sou liewer wou hê dat dit herstel word, al duur die
werk twee jaar.

sw Baraza la mji liliamua Jumanne kufunga bwawa la zamani la kuogelea kwa sababu paa lake limekuwa
likivuja tangu mwaka jana. Wakazi waliofika kwenye mkutano huo walisema wangependa lirekebishwe, hata kama
kazi itachukua miaka miwili.

eo La urba konsilio decidis marde fermi la malnovan naĝejon, ĉar ĝia tegmento likas ekde la pasinta
vintro. La loĝantoj, kiuj venis al la kunveno, preferus riparon, eĉ se la laboro daŭrus du jarojn.

la Senatus oppidi constituit vetus balneum claudere, quia tectum post hiemem superiorem aquam admittit.
Cives autem, qui ad concilium venerunt, malebant aedificium reficere, etiam si opus per duos annos
duraret, nec quisquam eorum tacuit.

ru Во вторник городской совет решил закрыть старый бассейн, крыша которого протекает с прошлой зимы.
Жители, пришедшие на собрание, хотели бы, чтобы его отремонтировали, даже если работы займут два года.

uk У вівторок міська рада вирішила закрити старий басейн, дах якого протікає з минулої зими. Мешканці, які
прийшли на збори, хотіли б, щоб його відремонтували, навіть якщо роботи триватимуть два роки.

be У аўторак гарадскі савет вырашыў закрыць стары басейн, дах якога працякае з мінулай зімы. Жыхары, якія
прыйшлі на сход, хацелі б, каб яго адрамантавалі, нават калі працы зоймуць два гады.

bg Във вторник общинският съвет реши да затвори стария басейн, чийто покрив тече от миналата зима.
Жителите, които дойдоха на събранието, биха предпочели ремонт, дори ако работата продължи две години.

mk Во вторникот градскиот совет одлучи да го затвори стариот базен, чиј покрив протекува уште од минатата
зима. Жителите што дојдоа на собирот повеќе би сакале да се поправи, дури и ако работите траат две години.

kk Сейсенбі күні қалалық кеңес ескі бассейнді жабу туралы шешім қабылдады, өйткені оның төбесінен былтырғы
қыстан бері су ағып тұр. Жиналысқа келген тұрғындар жұмыс екі жылға созылса да, оны жөндеген дұрыс деп
есептейді.

el Το δημοτικό συμβούλιο αποφάσισε την Τρίτη να κλείσει το παλιό κολυμβητήριο, γιατί η στέγη στάζει από
τον περασμένο χειμώνα. Οι κάτοικοι θα προτιμούσαν να επισκευαστεί.

he מועצת העיר החליטה ביום שלישי לסגור את הבריכה הישנה, משום שהגג דולף מאז החורף שעבר. התושבים שהגיעו
לישיבה היו מעדיפים שיפוץ, גם אם העבודות יימשכו שנתיים.

yi דער שטאָטראַט האָט דינסטיק באַשלאָסן צו פֿאַרמאַכן דעם אַלטן שווימבאַסיין, ווײַל דער דאַך רינט שוין
זינט פֿאַראַיאָרן. די אײַנוווינער וואָס זענען געקומען אויף דער פֿאַרזאַמלונג וואָלטן בעסער געוואָלט אַז מע
זאָל אים פֿאַרריכטן.

ar قرر مجلس المدينة يوم الثلاثاء إغلاق المسبح القديم لأن السقف يسرب الماء منذ الشتاء الماضي. وقال السكان
الذين حضروا الاجتماع إنهم يفضلون إصلاحه حتى لو استغرق العمل سنتين.

fa شورای شهر روز سه‌شنبه تصمیم گرفت استخر قدیمی را ببندد، چون سقف آن از زمستان گذشته چکه می‌کند. ساکنانی
که به جلسه آمده بودند ترجیح می‌دادند که استخر تعمیر شود، حتی اگر کار دو سال طول بکشد.

ur شہری کونسل نے منگل کے روز پرانا تالاب بند کرنے کا فیصلہ کیا کیونکہ اس کی چھت پچھلی سردیوں سے ٹپک رہی
ہے۔ اجلاس میں آنے والے لوگ چاہتے تھے کہ اس کی مرمت کی جائے، چاہے کام میں دو سال لگ جائیں۔

hi नगर परिषद ने मंगलवार को पुराना तरणताल बंद करने का फैसला किया, क्योंकि उसकी छत पिछली सर्दियों से टपक रही
है। बैठक में आए लोग चाहते थे कि उसकी मरम्मत की जाए, चाहे काम में दो साल लग जाएँ।

mr नगरपालिकेने मंगळवारी जुना जलतरण तलाव बंद करण्याचा निर्णय घेतला, कारण त्याचे छत मागील हिवाळ्यापासून गळत
आहे. बैठकीला आलेल्या रहिवाशांना तलावाची दुरुस्ती हवी होती, जरी काम दोन वर्षे चालले तरी.

ne नगरपालिकाले मंगलबार पुरानो पौडी पोखरी बन्द गर्ने निर्णय गर्‍यो, किनभने त्यसको छाना गत वर्षदेखि
चुहिरहेको छ। बैठकमा आएका बासिन्दाहरूले काम गर्न दुई वर्ष लागे पनि त्यसलाई मर्मत गर्नुपर्ने बताए।

bn পৌরসভা মঙ্গলবার পুরোনো সাঁতারের পুকুরটি বন্ধ করার সিদ্ধান্ত নিয়েছে, কারণ গত শীত থেকে ছাদ দিয়ে পানি
পড়ছে। সভায় আসা বাসিন্দারা মেরামত চেয়েছিলেন।

ta கூரை கடந்த ஆண்டு முதல் ஒழுகுவதால் பழைய நீச்சல் குளத்தை மூட நகராட்சி செவ்வாய்க்கிழமை முடிவு செய்தது.
கூட்டத்திற்கு வந்த மக்கள் அதைச் சரிசெய்ய விரும்பினர்.

te పైకప్పు గత ఏడాది నుండి కారుతున్నందున పాత ఈత కొలనును మూసివేయాలని పురపాలక సంఘం మంగళవారం నిర్ణయించింది.
సమావేశానికి వచ్చిన ప్రజలు మరమ్మతు కోరుకున్నారు.

kn ಛಾವಣಿ ಕಳೆದ ವರ್ಷದಿಂದ ಸೋರುತ್ತಿರುವುದರಿಂದ ಹಳೆಯ ಈಜುಕೊಳವನ್ನು ಮುಚ್ಚಲು ನಗರಸಭೆ ಮಂಗಳವಾರ ನಿರ್ಧರಿಸಿತು. ಸಭೆಗೆ ಬಂದ
ಜನರು ದುರಸ್ತಿ ಬಯಸಿದರು.

ml മേൽക്കൂര കഴിഞ്ഞ വർഷം മുതൽ ചോരുന്നതിനാൽ പഴയ നീന്തൽക്കുളം അടയ്ക്കാൻ നഗരസഭ ചൊവ്വാഴ്ച തീരുമാനിച്ചു.
യോഗത്തിന് വന്ന ആളുകൾ അത് നന്നാക്കണമെന്ന് ആവശ്യപ്പെട്ടു.

gu છત ગયા શિયાળાથી ટપકતી હોવાથી નગરપાલિકાએ મંગળવારે જૂનો તરણકુંડ બંધ કરવાનો નિર્ણય લીધો. બેઠકમાં આવેલા
લોકો સમારકામ ઇચ્છતા હતા.

pa ਨਗਰ ਕੌਂਸਲ ਨੇ ਮੰਗਲਵਾਰ ਨੂੰ ਪੁਰਾਣਾ ਤਲਾਅ ਬੰਦ ਕਰਨ ਦਾ ਫ਼ੈਸਲਾ ਕੀਤਾ ਕਿਉਂਕਿ ਛੱਤ ਪਿਛਲੇ ਸਾਲ ਤੋਂ ਚੋ ਰਹੀ ਹੈ। ਲੋਕ
ਮੁਰੰਮਤ ਚਾਹੁੰਦੇ ਸਨ।

si පසුගිය වසරේ සිට වහලය කාන්දු වන බැවින් පැරණි පිහිනුම් තටාකය වසා දැමීමට නගර සභාව අඟහරුවාදා තීරණය කළේය.
රැස්වීමට පැමිණි අය එය අලුත්වැඩියා කරනවාට කැමති විය.

th เมื่อวันอังคาร สภาเมืองมีมติให้ปิดสระว่ายน้ำเก่า เพราะหลังคารั่วมาตั้งแต่ฤดูหนาวปีที่แล้ว
ชาวบ้านที่มาร่วมประชุมอยากให้ซ่อมแซมมากกว่า

lo ສະພາເມືອງໄດ້ຕັດສິນໃຈໃນວັນອັງຄານປິດສະລອຍນໍ້າເກົ່າ ເພາະວ່າຫຼັງຄາຮົ່ວມາຕັ້ງແຕ່ປີກາຍນີ້
ປະຊາຊົນຢາກໃຫ້ສ້ອມແປງ

km កាលពីថ្ងៃអង្គារ ក្រុមប្រឹក្សាក្រុងបានសម្រេចចិត្តបិទអាងហែលទឹកចាស់ ព្រោះដំបូលលេចទឹកតាំងពីឆ្នាំមុន។
ប្រជាជនចង់ឱ្យជួសជុលវា។

my မြို့တော်ကောင်စီသည် အင်္ဂါနေ့တွင် ရေကူးကန်ဟောင်းကို ပိတ်ရန် ဆုံးဖြတ်ခဲ့သည်။ အမိုးသည် ယမန်နှစ်ကတည်းက
ရေယိုနေသောကြောင့် ဖြစ်သည်။

ka საკრებულომ სამშაბათს გადაწყვიტა ძველი აუზის დახურვა, რადგან სახურავიდან გასული ზამთრიდან წყალი ჩამოდის.
კრებაზე მოსულ მოსახლეობას მისი შეკეთება ერჩივნა.

hy Քաղաքային խորհուրդը երեքշաբթի որոշեց փակել հին լողավազանը, քանի որ տանիքը կաթում է անցյալ ձմռանից։
Ժողովին եկած բնակիչները կնախընտրեին վերանորոգում։

am የከተማው ምክር ቤት ማክሰኞ ዕለት አሮጌውን የመዋኛ ገንዳ ለመዝጋት ወሰነ፤ ምክንያቱም ጣሪያው ካለፈው ዓመት ጀምሮ ያፈሳል። ነዋሪዎቹ እንዲጠገን ይፈልጋሉ።

ko 시의회는 지난 겨울부터 지붕에서 물이 새는 오래된 수영장을 닫기로 화요일에 결정했다. 회의에 온 주민들은
공사가 이 년 걸리더라도 수리하기를 바랐다.

ja 市議会は火曜日、昨年の冬から屋根の雨漏りが続いている古いプールを閉鎖することを決めた。
集会に来た住民は、工事に二年かかっても修理してほしいと話した。

zh 市议会星期二决定关闭旧游泳池，因为屋顶从去年冬天起一直漏水。参加会议的居民更希望进行维修，
即使工程需要两年时间。

zh 市議會星期二決定關閉舊游泳池，因為屋頂從去年冬天起一直漏水。參加會議的居民更希望進行維修，
即使工程需要兩年時間。
"""

# Another subject, for languages that are easily taken for one another.
RELATIVES = """\
da Jeg har længe villet skrive om den lille café på hjørnet, hvor man stadig kan få en ordentlig kop kaffe
uden at blive ruineret. Ejeren siger, at hun ikke har tænkt sig at hæve priserne, så længe gæsterne bliver
ved med at komme.

no Jeg har lenge hatt lyst til å skrive om den lille kafeen på hjørnet, der man fortsatt kan få en
skikkelig kopp kaffe uten å bli ruinert. Eieren sier at hun ikke har tenkt å sette opp prisene så lenge
gjestene fortsetter å komme.

cs Už dlouho jsem chtěl napsat o malé kavárně na rohu, kde člověk pořád dostane poctivý šálek kávy a
nezruinuje se. Majitelka říká, že ceny zvyšovat nebude, dokud budou hosté chodit.

sk Už dávno som chcel napísať o malej kaviarni na rohu, kde človek stále dostane poctivú šálku kávy a
nezruinuje sa. Majiteľka hovorí, že ceny zvyšovať nebude, kým budú hostia chodiť.

pt Há muito tempo que quero escrever sobre o pequeno café da esquina, onde ainda se consegue beber um bom
café sem gastar uma fortuna. A dona diz que não pensa aumentar os preços enquanto os clientes continuarem
a aparecer.

gl Hai moito tempo que quero escribir sobre o pequeno café da esquina, onde aínda se pode tomar un bo café
sen gastar unha fortuna. A dona di que non pensa subir os prezos mentres os clientes sigan vindo.

es Hace mucho tiempo que quiero escribir sobre el pequeño café de la esquina, donde todavía se puede tomar
un buen café sin gastar una fortuna. La dueña dice que no piensa subir los precios mientras los clientes
sigan viniendo.

ca Fa molt de temps que vull escriure sobre el petit cafè de la cantonada, on encara es pot prendre un bon
cafè sense gastar una fortuna. La mestressa diu que no pensa apujar els preus mentre els clients continuïn
venint.

id Sudah lama saya ingin menulis tentang kedai kopi kecil di pojok jalan, tempat kita masih bisa minum
kopi enak tanpa menghabiskan banyak uang. Pemiliknya bilang dia tidak mau menaikkan harga selama pelanggan
masih datang.

ms Sudah lama saya mahu menulis tentang kedai kopi kecil di hujung jalan, tempat kita masih boleh minum
kopi sedap tanpa menghabiskan banyak wang. Pemiliknya berkata dia tidak akan menaikkan harga selagi
pelanggan terus datang.

hr Već dugo želim napisati nešto o maloj kavani na uglu, gdje se još uvijek može popiti dobra kava, a da
ne potrošiš cijelo bogatstvo. Vlasnica kaže da ne misli podizati cijene dok god gosti dolaze.

sr Već dugo želim da napišem nešto o maloj kafani na uglu, gde još uvek može da se popije dobra kafa, a da
ne potrošiš celo bogatstvo. Vlasnica kaže da ne misli da diže cene dok god gosti dolaze.

ru Я давно хотел написать о маленькой кофейне на углу, где всё ещё можно выпить хорошего кофе и не
разориться. Хозяйка говорит, что не собирается поднимать цены, пока гости приходят.

bg Отдавна искам да напиша нещо за малкото кафене на ъгъла, където все още може да се изпие хубаво кафе,
без да се харчи цяло състояние. Собственичката казва, че няма да вдига цените, докато идват гости.

uk Я давно хотів написати про маленьку кав'ярню на розі, де досі можна випити доброї кави й не розоритися.
Господиня каже, що не збирається піднімати ціни, доки гості приходять.

mk Одамна сакам да напишам нешто за малото кафуле на аголот, каде што сè уште може да се испие добро кафе
без да се потроши цело богатство. Сопственичката вели дека нема да ги крева цените додека гостите доаѓаат.

sl Že dolgo želim pisati o majhni kavarni na vogalu, kjer je še vedno mogoče popiti dobro kavo, ne da bi
zapravili celo premoženje. Lastnica pravi, da ne misli dvigovati cen, dokler gostje prihajajo.

nl Ik wil al lang iets schrijven over het kleine café op de hoek, waar je nog steeds een goede kop koffie
krijgt zonder arm te worden. De eigenares zegt dat ze de prijzen niet wil verhogen zolang de gasten
blijven komen.

af Ek wil al lankal iets skryf oor die klein kafee op die hoek, waar jy nog steeds 'n goeie koppie koffie
kan kry sonder om arm te word. Die eienaar sê sy wil nie die pryse verhoog solank die gaste bly kom nie.

et Olen juba ammu tahtnud kirjutada väikesest kohvikust nurga peal, kus saab ikka veel head kohvi ilma
kogu raha kulutamata. Omanik ütleb, et ta ei kavatse hindu tõsta, kuni külalised tulevad.

fi Olen jo kauan halunnut kirjoittaa pienestä kahvilasta kulman takana, jossa saa yhä hyvää kahvia ilman
että rahat loppuvat. Omistaja sanoo, ettei hän aio nostaa hintoja niin kauan kuin asiakkaat tulevat.

tr Uzun zamandır köşedeki küçük kahve hakkında yazmak istiyordum; orada hâlâ çok para harcamadan güzel bir
kahve içilebiliyor. Sahibi, müşteriler geldiği sürece fiyatları artırmayı düşünmediğini söylüyor.

az Çoxdandır ki, küncdəki balaca qəhvəxana haqqında yazmaq istəyirəm; orada hələ də çox pul xərcləmədən
yaxşı qəhvə içmək olar. Sahibi deyir ki, müştərilər gəldikcə qiymətləri qaldırmaq fikrində deyil.
"""

BUTTONS = "Home About us Contact Log in Sign up Read more Share this on Facebook Privacy Policy All rights reserved. "


def paragraphs(block: str) -> list[tuple[str, str]]:
    texts = [paragraph.replace("\n", " ").partition(" ") for paragraph in block.strip().split("\n\n")]
    return [(code, text) for code, _, text in texts]


EVERY = paragraphs(PROSE)
TEXT = dict(EVERY)


@pytest.mark.parametrize(("code", "text"), EVERY + paragraphs(RELATIVES))
def test_two_sentences_are_enough(code: str, text: str) -> None:
    found, confidence = detect(text)
    assert found == code
    assert confidence > 0.6


@pytest.mark.parametrize(("code", "text"), EVERY)
def test_english_buttons_do_not_hide_the_language_of_a_page(code: str, text: str) -> None:
    assert detect(BUTTONS + text)[0] == code


def test_every_language_of_the_table_but_tibetan_odia_and_divehi_has_prose_above() -> None:
    assert set(_table()) - set(TEXT) == {"bo", "dv", "or"}


def test_a_button_repeated_forty_times_does_not_outvote_the_prose() -> None:
    assert detect("Read more. " * 40 + TEXT["de"])[0] == "de"


def test_a_long_english_preamble_does_not_hide_the_rest_of_a_long_text() -> None:
    assert detect(TEXT["en"] * (SAMPLE // len(TEXT["en"])) + TEXT["it"] * 60)[0] == "it"


def test_latin_names_in_a_chinese_text_leave_it_chinese() -> None:
    assert detect("使用 SQLite 命令行 sqlite3 test.db 创建数据库，然后执行 CREATE TABLE 语句。")[0] == "zh"


def test_a_quoted_kana_name_leaves_a_text_chinese() -> None:
    assert detect(TEXT["zh"] + "店名叫「さくら」。")[0] == "zh"


def test_the_com_of_an_address_is_no_portuguese_word() -> None:
    assert "com" in stopwords("pt")
    assert detect("example.com press.example.com shop.example.com mail.example.com") == (None, 0.0)


@pytest.mark.parametrize("text", ["", "Menu", "12,50 € – 1999", "Read more", "123 " * 50, "hjkl zxcv " * 5])
def test_a_text_without_evidence_has_no_language(text: str) -> None:
    assert detect(text) == (None, 0.0)


def test_a_script_we_do_not_know_has_no_language() -> None:
    assert detect("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏍᏓᏩᏛᏍᏙᏗ ᎠᎴ ᎤᏓᏅᏖᎵᏓᏍᏗ") == (None, 0.0)


def test_decomposed_accents_are_composed_first() -> None:
    assert detect(unicodedata.normalize("NFD", TEXT["vi"])) == detect(TEXT["vi"])


def test_confidence_grows_with_the_text() -> None:
    start = "Stanovnici koji su došli"  # Croatian or Serbian
    assert detect(start)[1] < 0.1 < 0.6 < detect(TEXT["hr"])[1]


def test_a_language_we_do_not_know_gets_little_confidence() -> None:
    xhosa = "Ibhunga lesixeko ligqibe ekubeni livale idama lokuqubha elidala ngenxa yokuba uphahla luyavuza."
    assert detect(xhosa)[1] < 0.3


@given(st.text())
def test_any_text_gets_a_known_code_and_a_confidence_between_0_and_1(text: str) -> None:
    code, confidence = detect(text)
    assert code in _table() if code else confidence == 0.0
    assert 0.0 <= confidence <= 1.0


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en", "en"),
        ("en_US", "en"),
        ("EN-gb ", "en"),
        ("en-US,en;q=0.9", "en"),
        ("en_US.UTF-8", "en"),
        ("english", "en"),
        ("English (US)", "en"),
        ("zh-Hans", "zh"),
        ("zh_cmn_Hant", "zh"),
        ("pt-BR, en", "pt"),
        ("deu", "de"),
        ("Deutsch", "de"),
        ("nb-NO", "no"),
        ("iw", "he"),
        ("jp", "ja"),
        ("sr-Latn-RS", "sr"),
        ("und, fr", "fr"),
        ("haw", "haw"),
        ("'es'", "es"),
        ("", None),
        (None, None),
        (" ", None),
        ("und", None),
        ("x-default", None),
        ("{{ page.lang }}", None),
        ("null", None),
        ("1", None),
    ],
)
def test_a_lang_attribute_is_reduced_to_its_base_code(tag: str | None, code: str | None) -> None:
    assert normalise(tag) == code


def test_stopwords_are_the_function_words() -> None:
    assert {"the", "of", "and"} <= stopwords("en")
    assert {"и", "в", "не"} <= stopwords("ru")


@pytest.mark.parametrize("code", ["xx", "", "languages", "../en", "th"])
def test_a_language_without_a_list_has_no_stopwords(code: str) -> None:
    assert stopwords(code) == frozenset()


@pytest.mark.parametrize("path", sorted(DATA.glob("??.txt")), ids=lambda path: path.stem)
def test_a_word_list_is_long_enough_and_written_as_the_detector_reads(path: Path) -> None:
    words = stopwords(path.stem)
    assert len(words) >= 40
    assert all(word == unicodedata.normalize("NFC", word).lower() for word in words)


def test_languages_that_share_a_script_have_word_lists() -> None:
    scripts = {script for language in _table().values() for script in language.scripts}
    shared = [_languages_of(script) for script in scripts if len(_languages_of(script)) > 1]
    assert all(stopwords(language.code) for languages in shared for language in languages)


def test_endings_have_the_length_that_is_compared_and_names_belong_to_one_language() -> None:
    names = [name for language in _table().values() for name in (language.code, *language.names)]
    assert len(names) == len(set(names))
    assert {len(ending) for language in _table().values() for ending in language.endings} == {ENDING}
