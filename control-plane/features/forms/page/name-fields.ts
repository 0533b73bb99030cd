/** What a browser fills into a line that is clearly for a person's name (HTML, autofill field names). */
export type NameField = 'name' | 'given-name' | 'family-name';

/** Whole labels. One word more is another question: the name of a dog, of a company. */
const labels: Readonly<Record<NameField, string>> = {
  name: 'name, full name, your name, your full name, first and last name, ihr name, dein name, vor- und nachname, vollständiger name, nom et prénom, prénom et nom, nom complet, votre nom, nombre y apellido, nombre y apellidos, nombre completo, tu nombre, su nombre, nome e cognome, nome completo, il tuo nome, seu nome, o seu nome, nome e apelido, nome e sobrenome, naam, volledige naam, uw naam, je naam, voor- en achternaam, الاسم, الاسم الكامل, שם, שם מלא',
  'given-name': 'first name, given name, vorname, prénom, voornaam, الاسم الأول, שם פרטי',
  'family-name':
    'last name, family name, surname, nachname, familienname, nom de famille, apellido, apellidos, cognome, apelido, sobrenome, achternaam, اسم العائلة, שם משפחה',
};

const fields = new Map(
  Object.entries(labels).flatMap(([field, words]) =>
    words.split(', ').map((word) => [word, field as NameField] as const),
  ),
);

/** @returns undefined where the label asks for something else, or may do */
export const nameFieldOf = (label: string): NameField | undefined =>
  label.length > 60
    ? undefined
    : fields.get(
        label
          .normalize('NFC')
          .toLowerCase()
          .replace(/[\s:*?]+$/, '')
          .trim(),
      );
