/** The names that `\p{…}` takes: categories, their aliases, and scripts, as Go looks them up. */
const CATEGORIES =
  'C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs';

const ALIASES: Readonly<Record<string, string>> = {
  casedletter: 'LC',
  closepunctuation: 'Pe',
  combiningmark: 'M',
  connectorpunctuation: 'Pc',
  control: 'Cc',
  currencysymbol: 'Sc',
  dashpunctuation: 'Pd',
  decimalnumber: 'Nd',
  enclosingmark: 'Me',
  finalpunctuation: 'Pf',
  format: 'Cf',
  initialpunctuation: 'Pi',
  letter: 'L',
  letternumber: 'Nl',
  lineseparator: 'Zl',
  lowercaseletter: 'Ll',
  mark: 'M',
  mathsymbol: 'Sm',
  modifierletter: 'Lm',
  modifiersymbol: 'Sk',
  nonspacingmark: 'Mn',
  number: 'N',
  openpunctuation: 'Ps',
  other: 'C',
  otherletter: 'Lo',
  othernumber: 'No',
  otherpunctuation: 'Po',
  othersymbol: 'So',
  paragraphseparator: 'Zp',
  privateuse: 'Co',
  punctuation: 'P',
  separator: 'Z',
  spaceseparator: 'Zs',
  spacingmark: 'Mc',
  surrogate: 'Cs',
  symbol: 'S',
  titlecaseletter: 'Lt',
  unassigned: 'Cn',
  uppercaseletter: 'Lu',
  cntrl: 'Cc',
  digit: 'Nd',
  punct: 'P',
};

/**
 * Scripts whose name is one word. Go forgets underscores before it looks a name up and has them in its tables, so that
 * it finds no script of two words, nor `SignWriting`.
 */
const SCRIPTS =
  'Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid ' +
  'Carian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan ' +
  'Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran ' +
  'Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha ' +
  'Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Medefaidrin Miao Modi Mongolian Mro ' +
  'Multani Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic ' +
  'Samaritan Saurashtra Sharada Shavian Siddham Sinhala Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil ' +
  'Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi';

const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['any', 'Any'],
  ['assigned', 'Assigned'],
  ['ascii', 'ASCII'],
  ['lc', 'LC'],
  ...CATEGORIES.split(' ').map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
  ...SCRIPTS.split(' ').map((name) => [name.toLowerCase(), `Script=${name}`] as const),
]);

/** The property of JavaScript's regular expressions that a name stands for. Case, spaces, `_` and `-` do not count. */
export function unicodeProperty(name: string): string | undefined {
  return PROPERTIES.get(name.replace(/[_\- ]/g, '').toLowerCase());
}
