/** Words that reveal the language of a short page: one supported language has them, and hardly any other does. */
import { type Language, languages } from '#shared/languages.ts';

interface Telling {
  /** A single one is enough: words of menus, landing pages and forms. Phrases are separated by commas. */
  readonly telling: string;
  /** Three of them are needed: some also occur in another language, or in a name. */
  readonly common: string;
}

/**
 * Arabic and Hebrew are recognised by their letters. Words that are the same abroad (menu, dessert, pizza, espresso)
 * are left out.
 */
const lexicon: Readonly<Partial<Record<Language, Telling>>> = {
  en: {
    telling:
      'opening hours, book a table, reserve a table, book now, order now, order online, starters, mains, main courses, soft drinks, hot drinks, side dishes, first name, last name, full name, your name, phone number, email address, call us, find us, contact us, our menu, gift voucher, how many, get in touch, sign up, learn more, read more, tell us',
    common:
      'and, with, the, of, our, your, for, from, you, we, drinks, sides, phone, message, send, book, order, directions, chicken, beef, cheese, homemade, fried, roasted, grilled, breakfast, lunch, dinner, wine, beer, call, soup, salad, surname, guests',
  },
  de: {
    telling:
      'speisekarte, getränkekarte, weinkarte, hauptspeisen, hauptgerichte, hauptgänge, vorspeisen, nachspeisen, nachtisch, beilagen, getränke, heißgetränke, warme getränke, kaltgetränke, weine, biere, suppen, salate, fleischgerichte, fischgerichte, kindergerichte, mittagstisch, mittagsmenü, tageskarte, frühstück, reservieren, reservierung, öffnungszeiten, anfahrt, vorname, nachname, telefonnummer, ihr name, nachricht, anfrage, anmeldung, anmelden, gutscheine, gutschein, buchen, bestellen, anrufen, rückruf, kontaktformular, wünsche, über uns, unsere, uhrzeit, personenzahl, postleitzahl, datenschutz, käsespätzle, knödel, bratkartoffeln, rinderbraten, schweinebraten, rindersuppe, kartoffelsalat, apfelschorle, gemischter',
    common:
      'und, mit, oder, für, vom, aus, telefon, kuchen, kaffee, wasser, saft, tisch, hausgemachte, gebackener, weißwein, rotwein, gäste, straße, dienstag',
  },
  fr: {
    telling:
      'entrées, plats, nos plats, plats principaux, nos desserts, boissons, vins, bières, formule midi, plat du jour, carte des vins, réserver, réservez, réservation, horaires, nous appeler, appeler, nous contacter, contactez-nous, nous écrire, commander, prénom, nom de famille, votre nom, téléphone, courriel, votre message, nombre de personnes, envoyer, inscription, adresse e-mail, découvrir, notre carte, voir la carte, petit déjeuner, accueil, poulet rôti, frites maison, salade verte, tarte aux pommes, bœuf, fromages',
    common:
      'avec, et, des, les, aux, nos, votre, une, du, sur, pour, vous, nous, nom, poulet, salade, fromage, maison, poisson, pommes, boeuf',
  },
  es: {
    telling:
      'entrantes, entradas y sopas, primeros platos, segundos platos, platos principales, postres, bebidas y vinos, vinos, cervezas, refrescos, menú del día, la carta, nuestra carta, ver carta, reserva una mesa, reservar una mesa, reserva tu mesa, reserve una mesa, horario, llámanos, llámenos, cómo llegar, apellido, apellidos, correo electrónico, teléfono, mensaje, número de personas, raciones, ensaladas, pescados, desayunos, comidas, ensalada, arroz con leche, inscripción, síguenos, contáctanos, fecha',
    common:
      'reservar mesa, nombre, croquetas, jamón, al, y, con, el, los, las, del, para, tu, una, nuestro, nuestra, pollo, queso, bebidas, sopa, leche, pescado, tortilla',
  },
  it: {
    telling:
      'primi piatti, secondi piatti, bevande, bibite, birre, carta dei vini, prenota, prenotare, prenotazione, prenotazioni, prenota un tavolo, orari, orari di apertura, chiamaci, contattaci, dove siamo, nome e cognome, cognome, messaggio, numero di persone, il nostro menù, i nostri, le nostre, menù del giorno, insalate, zuppe, colazione, ordina, scopri, iscrizione, insalata mista, pesce spada',
    common:
      'primi, secondi, contorni, dolci, vini, al, con, di, della, delle, dei, degli, agli, alle, ai, il, gli, e, nome, telefono, tavolo, insalata, pesce, formaggio, pollo, vitello, funghi, pomodoro, caffè, per, un',
  },
  pt: {
    telling:
      'pratos principais, pratos, sobremesas, vinhos, cervejas, refrigerantes, ementa, cardápio, carnes, peixes, reserve uma mesa, reservar uma mesa, horário, ligue-nos, contacte-nos, fale conosco, sobrenome, apelido, telefone, telemóvel, mensagem, número de pessoas, nome completo, pequeno-almoço, prato do dia, caldo verde, arroz de pato, inscrição, encomendar, peça online, frango assado',
    common:
      'petiscos, sopas, e, com, da, do, das, dos, ao, à, uma, para, nossa, nosso, nome, frango, arroz, queijo, bebidas, entradas, peixe, leite, salada, sopa, carne, grelhado, grelhada, reservar mesa, doce',
  },
  nl: {
    telling:
      'voorgerechten, hoofdgerechten, nagerechten, bijgerechten, gerechten, dranken, drankkaart, wijnkaart, wijnen, bieren, frisdranken, warme dranken, lunchkaart, soepen, openingstijden, reserveer, reserveren, reservering, tafel reserveren, tafel, bel ons, neem contact op, voornaam, achternaam, telefoon, telefoonnummer, e-mailadres, bericht, versturen, aantal personen, bestellen online, onze kaart, menukaart, kaart bekijken, inschrijven, aanmelden, erwtensoep, uitsmijter, kaasplankje, appeltaart, kroketten, gehaktbal, zalm, rundvlees',
    common:
      'met, van, het, een, en, onze, voor, uit, naam, kaas, kip, soep, wijn, koffie, thee, brood, friet, slagroom, huisgemaakte, salade',
  },
};

const listed = (words: string): string[] => words.split(', ').map((word) => normalized(word));

/** Words between single spaces, including one before the first and one after the last. Addresses are removed. */
const normalized = (text: string): string =>
  ` ${text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\S*(?:@|:\/\/|www\.)\S*|\p{L}+\.\p{L}+\S*/gu, ' ')
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()} `;

const entries = Object.entries(lexicon).map(([language, { telling, common }]) => ({
  language: languages.find((one) => one === language)!,
  telling: listed(telling),
  common: listed(common),
}));

/** The score of one `telling` word, or of three `common` ones. */
const scoreMin = 3;
/** How many times higher than the next language's. */
const leadMin = 2;

const countFound = (text: string, words: readonly string[]): number =>
  words.filter((word) => text.includes(word)).length;

/**
 * @param text of bounded length
 * @returns undefined if it has few of the words, or words of several languages
 */
export const languageOfWords = (text: string): Language | undefined => {
  const words = normalized(text);
  const scores = entries
    .map(({ language, telling, common }) => ({
      language,
      score: scoreMin * countFound(words, telling) + countFound(words, common),
    }))
    .sort((a, b) => b.score - a.score);
  const [first, second] = [scores[0]!, scores[1]!];
  return first.score >= scoreMin && first.score >= second.score * leadMin ? first.language : undefined;
};
