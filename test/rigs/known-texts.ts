/** Texts of videos as people write them in many languages, by the encodings that can hold them. */
import type { Encoding } from '../../src/contract/text-reading.ts';

const WESTERN = [
  'Grüße aus München',
  'Schöne Aussichten für Ihr Büro',
  'Über 500 zufriedene Kundinnen: größer, schöner, näher',
  'Crème brûlée à la française',
  'Déjà vu ? Découvrez notre été',
  '¡Mañana empieza la campaña!',
  'Niños, jóvenes y señoras: ¿qué más?',
  'Promoção de verão: não perca',
  'Så här fungerar det på svenska',
  'Blåbær og fløde på øen',
  'Perché è così? Più città',
  'Straße der Möglichkeiten – heute',
];

const POLISH = [
  'Zażółć gęślą jaźń',
  'Łódź i Kraków: nowości września',
  'Dzień dobry, świecie',
  'Więcej na naszej stronie już dziś',
];

const CZECH = [
  'Příliš žluťoučký kůň',
  'Český den v Brně, přijďte',
  'Nové zboží už v pátek',
  'Děkujeme všem našim zákazníkům',
];

const HUNGARIAN = [
  'Árvíztűrő tükörfúrógép',
  'Őszi újdonságok a könyvtárban',
  'Jó napot, kedves vásárlók',
  'Több szín, több öröm',
];

const CYRILLIC = [
  'Привет, мир! Новая коллекция',
  'Скидки до пятидесяти процентов',
  'Открытие магазина в Москве',
  'Только сегодня и завтра',
  'Подробности на нашем сайте',
  'Новини тижня та події',
];

const JAPANESE = [
  '新製品のご紹介です',
  '夏のキャンペーンが始まりました',
  'ありがとうございます',
  'カタログを無料でダウンロード',
  '東京と大阪で開催中',
  '詳しくはこちらをご覧ください',
];

const SIMPLIFIED = [
  '新品发布会今天开始',
  '欢迎来到我们的商店',
  '夏季促销活动进行中',
  '请关注我们的公众号',
  '北京和上海的读者们',
  '更多详情请看视频',
];

const TRADITIONAL = [
  '新產品發表會今天開始',
  '歡迎來到我們的商店',
  '夏季促銷活動進行中',
  '請訂閱我們的頻道',
  '台北與高雄的讀者們',
  '更多詳情請看影片',
];

const KOREAN = [
  '새로운 제품을 소개합니다',
  '여름 할인 행사가 시작되었습니다',
  '감사합니다 여러분',
  '서울과 부산에서 만나요',
  '자세한 내용은 영상을 보세요',
  '무료로 다운로드하세요',
];

const GREEK = [
  'Καλοκαιρινές εκπτώσεις',
  'Νέα προϊόντα στο κατάστημά μας',
  'Μόνο σήμερα και αύριο',
  'Όλα όσα πρέπει να ξέρετε',
];

const TURKISH = [
  'İstanbul’da güneşli günler',
  'Şimdi alışveriş zamanı',
  'Yeni ürünler çok yakında',
  'Müşterilerimize teşekkür ederiz',
];

const HEBREW = ['שלום עולם', 'מבצע מיוחד היום בלבד', 'המוצרים החדשים שלנו', 'לפרטים נוספים באתר'];

const ARABIC = [
  'مرحبا بالعالم',
  'خصم اليوم فقط',
  'منتجات جديدة في متجرنا',
  'اكتشف المزيد على موقعنا',
];

const THAI = ['สวัสดีชาวโลก', 'ส่วนลดวันนี้เท่านั้น', 'สินค้าใหม่ของเรา', 'ดูรายละเอียดเพิ่มเติมที่เว็บไซต์'];

const LITHUANIAN = [
  'Vasaros išpardavimas jau prasidėjo',
  'Naujienos mūsų parduotuvėje',
  'Ačiū, kad esate su mumis',
  'Žiūrėkite daugiau vaizdo įrašų',
];

const ENGLISH = [
  'It’s time to go',
  'Don’t miss our biggest sale',
  'Only 5 € today',
  'You’ll love this – we promise',
];

const ASCII = ['Launch week', 'Big sale today', 'How it works', 'Meet the team', 'Ten quick tips'];

/** Each list has texts of several languages; a file has those of one. */
export const KNOWN_TEXTS: Readonly<
  Record<Exclude<Encoding, 'utf-8-twice'>, readonly (readonly string[])[]>
> = {
  'utf-8': [
    WESTERN,
    POLISH,
    CZECH,
    HUNGARIAN,
    CYRILLIC,
    JAPANESE,
    SIMPLIFIED,
    TRADITIONAL,
    KOREAN,
    GREEK,
    TURKISH,
    HEBREW,
    ARABIC,
    THAI,
    LITHUANIAN,
    ENGLISH,
    ASCII,
  ],
  'utf-16le': [WESTERN, POLISH, CZECH, HUNGARIAN, CYRILLIC, JAPANESE, SIMPLIFIED, KOREAN, ASCII],
  'utf-16be': [WESTERN, POLISH, CZECH, HUNGARIAN, CYRILLIC, JAPANESE, SIMPLIFIED, KOREAN, ASCII],
  'windows-1252': [WESTERN, ENGLISH],
  macintosh: [WESTERN],
  cp850: [WESTERN.filter((text) => !text.includes('–'))],
  'windows-1250': [POLISH, CZECH, HUNGARIAN],
  'windows-1251': [CYRILLIC],
  'windows-1253': [GREEK],
  'windows-1254': [TURKISH],
  'windows-1255': [HEBREW],
  'windows-1256': [ARABIC],
  'windows-1257': [LITHUANIAN],
  'windows-874': [THAI],
  // Without texts whose bytes are the same in Windows-1250.
  'iso-8859-2': [POLISH, CZECH.filter((text) => /[šťž]/.test(text))],
  'iso-8859-15': [['Nur 5 € für alle', 'Crème brûlée à 7 €', 'Cœur de bœuf, 3 €']],
  'koi8-r': [CYRILLIC.filter((text) => !text.includes('і'))],
  cp852: [POLISH, CZECH, HUNGARIAN],
  cp866: [CYRILLIC.filter((text) => !text.includes('і'))],
  shift_jis: [JAPANESE],
  'euc-jp': [JAPANESE],
  gb18030: [SIMPLIFIED],
  big5: [TRADITIONAL],
  'euc-kr': [KOREAN],
};
