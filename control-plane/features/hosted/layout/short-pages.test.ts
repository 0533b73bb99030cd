/** Real short pages. */
import { describe, expect, test } from 'vitest';
import type { Language } from '#shared/languages.ts';
import { detectLanguage } from './language.ts';

type Page = readonly [texts: string, language: Language | undefined];

/** Their texts, separated by bars. */
const pages: readonly Page[] = [
  ['Speisekarte|Hauptspeisen|Wiener Schnitzel|Käsespätzle|Rinderroulade', 'de'],
  ['Zum Hirschen|Suppen|Leberknödelsuppe|Hauptspeisen|Zwiebelrostbraten|Tagliatelle', 'de'],
  ['Gasthof Krone|Vorspeisen|Hauptgerichte|Nachspeisen|Getränke', 'de'],
  ['Tisch reservieren|Name|E-Mail|Telefon', 'de'],
  ['Anmeldung|Vorname|Nachname|E-Mail', 'de'],
  ['Kontakt|Name|E-Mail|Nachricht', 'de'],
  ['Ristorante Pizzeria Da Nino|Speisekarte|Tisch reservieren', 'de'],
  ['Salon Anna|Öffnungszeiten|Termin buchen', 'de'],
  ['Café Luise|Schnitzel mit Pommes|Kaffee und Kuchen|Tee aus Assam', 'de'],
  ['Prenota un tavolo|Nome e cognome|Telefono', 'it'],
  [
    'Trattoria Da Mario|Primi|Spaghetti alle vongole|Secondi|Bistecca ai ferri|Insalata mista|Dolci|Tiramisù',
    'it',
  ],
  ['Menù|Antipasti|Bruschetta al pomodoro|Risotto ai funghi|Tagliata di manzo|Panna cotta', 'it'],
  ['Bar Centrale|Orari|Dove siamo', 'it'],
  ['Contattaci|Nome|Email|Messaggio', 'it'],
  ['Bevande|Acqua|Vino della casa|Birra', 'it'],
  ['Pizzeria Vesuvio|Prenota|Il nostro menù', 'it'],
  ['Reserva tu mesa|Nombre|Apellidos|Teléfono', 'es'],
  ['Casa Pepe|Entrantes|Croquetas de jamón|Postres|Arroz con leche', 'es'],
  ['Tapas|Patatas bravas|Tortilla de patatas|Gambas al ajillo|Pan con tomate y jamón', 'es'],
  ['La Taberna|Ver carta|Reservar mesa', 'es'],
  ['Contacto|Nombre|Correo electrónico|Mensaje', 'es'],
  ['Menú del día|Sopa|Pollo|Flan', 'es'],
  ['Bar Sol|Bebidas y vinos|Cerveza|Agua', 'es'],
  ['Le Zinc|Entrées|Soupe à l’oignon|Plats|Steak frites|Desserts|Crème brûlée', 'fr'],
  ['Réserver une table|Nom|Prénom|Téléphone', 'fr'],
  ['Chez Paul|Voir la carte|Réserver', 'fr'],
  ['Nous contacter|Nom|E-mail|Message', 'fr'],
  ['Boissons|Vin rouge|Eau|Café', 'fr'],
  ['La carte|Poulet rôti et frites|Salade de chèvre|Tarte aux pommes|Mousse au chocolat avec des noix', 'fr'],
  ['Boulangerie Martin|Horaires|Commander', 'fr'],
  ['De Brug|Voorgerechten|Tomatensoep|Hoofdgerechten|Biefstuk met friet', 'nl'],
  ['Tafel reserveren|Naam|E-mail|Telefoon', 'nl'],
  ['Contact|Voornaam|Achternaam|Bericht', 'nl'],
  ['Lunch|Broodje kaas|Tosti met ham en kaas|Soep van de dag', 'nl'],
  ['Café Loos|Openingstijden|Reserveren', 'nl'],
  ['Dranken|Bier|Wijn|Koffie', 'nl'],
  ['Menukaart|Kroketten|Zalm|Appeltaart met slagroom', 'nl'],
  ['Reservar mesa|Nome completo|Telefone', 'pt'],
  ['Tasca do Zé|Entradas|Pratos principais|Bacalhau à Brás|Sobremesas|Pudim', 'pt'],
  ['Contacto|Nome|Telemóvel|Mensagem', 'pt'],
  ['Ementa|Caldo verde|Frango grelhado|Arroz doce', 'pt'],
  ['Cardápio|Feijoada|Moqueca|Caipirinha', 'pt'],
  ['Padaria Lisboa|Horário|Ligue-nos', 'pt'],
  ['Petiscos|Pão com queijo|Bifana|Polvo à lagareiro|Salada de polvo', 'pt'],
  ['The Crown|Starters|Soup|Mains|Fish and chips|Desserts', 'en'],
  ['Book a table|Name|Email|Phone', 'en'],
  ['Sign up|First name|Last name', 'en'],
  ['Bella Napoli|Our menu|Book a table', 'en'],
  ['Trattoria Roma|Opening hours|Find us', 'en'],
  ['El Toro|Order now|Call us', 'en'],
  ['Chez Pierre|Coq au vin|Duck with orange|Book now', 'en'],
  ['Wiener Schnitzel|Bratwurst and mustard|Beef with the sauce', 'en'],
  ['Drinks|Wine|Beer|Cheese and salad', 'en'],
  ['مطعم الياسمين|حمص', 'ar'],
  ['احجز طاولة|الاسم|الهاتف', 'ar'],
  ['القائمة|فتوش|شاي', 'ar'],
  ['اتصل بنا', 'ar'],
  ['مقهى النور|المشروبات', 'ar'],
  ['תפריט|חומוס', 'he'],
  ['הזמנת שולחן|שם|טלפון', 'he'],
  ['צרו קשר', 'he'],
  ['קפה גולדה|תפריט|שעות פתיחה', 'he'],
  ['שתייה|קפה', 'he'],
  ['Espresso|Cappuccino|Latte macchiato|Flat white', undefined],
  ['Pizza Margherita|Pizza Quattro Stagioni|Lasagne|Tiramisù', undefined],
  ['Cheeseburger|Fries|Cola', undefined],
  ['Anna Keller|Instagram|Website', undefined],
  ['Menu', undefined],
  ['Sushi|Sashimi|Ramen', undefined],
  ['Tapas Bar El Sol|Patatas bravas|Gambas al ajillo', undefined],
  ['Studio Berlin|Newsletter', undefined],
  ['Croissant|Baguette|Quiche Lorraine', undefined],
  ['Maria da Silva|Portfolio', undefined],
  ['Jan van der Berg|Photos', undefined],
  ['Carlos de la Cruz|Website|Instagram', undefined],
  ['Menüü|Supid|Pannkoogid', undefined],
  ['Etterretter|Kaffe|Te|Øl', undefined],
  ['Chili con carne|Tacos al pastor|Quesadilla', undefined],
  ['Penne alla vodka|Spaghetti alla carbonara|Pollo alla parmigiana', undefined],
  ['Rezervovat stůl|Jméno|Telefon', undefined],
  ['Bestill bord|Navn|Telefon', undefined],
  ['Reservar taula|Nom|Telèfon', undefined],
];

describe('the language of a short page', () => {
  test.each(pages)('%s: %s', (texts, language) => {
    const all = texts.split('|');
    expect(detectLanguage(all)).toBe(language);
    expect(detectLanguage([], all)).toBe(language);
  });

  test('is undefined for a personal name, an address, or words of two languages', () => {
    for (const text of ['Maria e Nome', 'https://prenota.example/speisekarte', 'Speisekarte', 'x@ementa.com'])
      expect([text, detectLanguage([text])]).toEqual([text, text === 'Speisekarte' ? 'de' : undefined]);
    expect(detectLanguage(['Speisekarte', 'Cognome', 'Achternaam'])).toBeUndefined();
  });
});
