/** Brands of rows. Sentences begin with the place of their cell. */
export const brandMessages = {
  'brands-missing': {
    en: 'names a brand, but there is no table “brands” beside this one, such as brands.csv. Brands are not used.',
    de: 'nennt eine Marke, aber neben dieser Tabelle liegt keine Tabelle „Marken“, etwa marken.csv. Marken werden nicht verwendet.',
  },
  'brands-unlisted': {
    en: 'names a brand, but the folder of the table cannot be read. Check its permissions and its disk.',
    de: 'nennt eine Marke, aber der Ordner der Tabelle lässt sich nicht lesen. Prüfen Sie seine Rechte und das Laufwerk.',
  },
  'brands-twice': {
    en: 'names a brand, but the folder has two tables of brands: “{file}” and “{other}”. Keep one.',
    de: 'nennt eine Marke, aber im Ordner liegen zwei Tabellen mit Marken: „{file}“ und „{other}“. Behalten Sie eine.',
  },
  'brand-unknown': {
    en: '“{name}” is no brand in “{file}”. Check the name, or add a row for it there.',
    de: '„{name}“ ist keine Marke in „{file}“. Prüfen Sie den Namen oder fügen Sie dort eine Zeile hinzu.',
  },
  'brand-twice': {
    en: '“{name}” has two rows in “{file}”. Keep one.',
    de: '„{name}“ hat zwei Zeilen in „{file}“. Behalten Sie eine.',
  },
  'brand-wrong': {
    en: 'names a brand with an error in “{file}”:',
    de: 'nennt eine Marke mit einem Fehler in „{file}“:',
  },
  'brand-of-queued': {
    en: 'is applied when a table is added. Change the other fields of this video instead.',
    de: 'wird beim Hinzufügen einer Tabelle angewendet. Ändern Sie stattdessen die anderen Felder dieses Videos.',
  },
} as const;
