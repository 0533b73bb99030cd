/** The words of a domain's 404 page, which owners may replace with their own. */
import type { Language } from '#shared/languages.ts';

export interface NotFoundWords {
  headline: string;
  body: string;
  /** With `{host}`. */
  home: string;
}

export const wordsOf: Readonly<Record<Language, NotFoundWords>> = {
  en: {
    headline: 'Nothing here',
    body: 'This address leads nowhere. It may be mistyped, or only part of a code was scanned.',
    home: 'Go to {host}',
  },
  de: {
    headline: 'Hier ist nichts',
    body: 'Diese Adresse führt nirgendwohin. Vielleicht ist sie vertippt, oder ein Code wurde nur zum Teil gescannt.',
    home: 'Zu {host}',
  },
  fr: {
    headline: 'Rien à cette adresse',
    body: 'Cette adresse ne mène nulle part. Elle contient peut-être une faute de frappe, ou le code n’a été scanné qu’en partie.',
    home: 'Aller sur {host}',
  },
  es: {
    headline: 'Aquí no hay nada',
    body: 'Esta dirección no lleva a ninguna parte. Puede que esté mal escrita o que el código se haya escaneado solo en parte.',
    home: 'Ir a {host}',
  },
  it: {
    headline: 'Qui non c’è nulla',
    body: 'Questo indirizzo non porta da nessuna parte. Forse contiene un errore, oppure il codice è stato letto solo in parte.',
    home: 'Vai a {host}',
  },
  pt: {
    headline: 'Não há nada aqui',
    body: 'Este endereço não leva a lado nenhum. Pode estar mal escrito, ou o código foi lido só em parte.',
    home: 'Ir para {host}',
  },
  nl: {
    headline: 'Hier is niets',
    body: 'Dit adres leidt nergens heen. Misschien is het verkeerd getypt, of is een code maar voor een deel gescand.',
    home: 'Naar {host}',
  },
  ar: {
    headline: 'لا يوجد شيء هنا',
    body: 'هذا العنوان لا يؤدي إلى أي مكان. ربما كُتب بشكل خاطئ، أو مُسح جزء من الرمز فقط.',
    home: 'الانتقال إلى {host}',
  },
  he: {
    headline: 'אין כאן כלום',
    body: 'הכתובת הזאת לא מובילה לשום מקום. ייתכן שהיא הוקלדה בטעות, או שרק חלק מהקוד נסרק.',
    home: 'מעבר אל {host}',
  },
};
