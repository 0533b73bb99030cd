import type { Words } from './words.ts';

export const he: Words = {
  page: {
    socials: 'עקבו אחרינו',
    website: 'אתר',
    email: 'אימייל',
  },
  menu: {
    sections: 'חלקי התפריט',
    filter: 'סינון',
    close: 'סגירה',
    diet: 'תזונה',
    without: 'הסתרת מנות שמצוין בהן',
    caution:
      'האלרגנים הם כפי שמצוין בתפריט. מנה שלא מצוין בה אלרגן עלולה בכל זאת להכיל אותו: יש לשאול את הצוות.',
    apply: 'הצגת המנות',
    clear: 'ניקוי הסינון',
    count: 'מוצגים {shown} מתוך {total}',
    nothingFound: 'אין מנה שמתאימה לסינון.',
    empty: 'אין עדיין דבר בתפריט הזה.',
    allergens: 'אלרגנים:',
    separator: ', ',
    online: 'התפריט באינטרנט:',
    allergenNames: {
      gluten: 'גלוטן',
      dairy: 'חלב',
      eggs: 'ביצים',
      nuts: 'אגוזים',
      peanuts: 'בוטנים',
      soy: 'סויה',
      fish: 'דגים',
      shellfish: 'סרטנים',
      sesame: 'שומשום',
      celery: 'סלרי',
      mustard: 'חרדל',
      sulphites: 'סולפיטים',
      lupin: 'תורמוס',
      molluscs: 'רכיכות',
    },
    dietNames: {
      vegetarian: 'צמחוני',
      vegan: 'טבעוני',
      'gluten-free': 'ללא גלוטן',
      'dairy-free': 'ללא חלב',
      halal: 'חלאל',
      kosher: 'כשר',
      spicy: 'חריף',
    },
  },
  status: {
    unknown: {
      title: 'הדף הזה לא קיים',
      lead: 'ייתכן שהוא הוסר, או שהכתובת אינה מלאה.',
    },
    paused: {
      title: 'הדף הזה מושהה',
      lead: 'הוא כבוי כרגע. אפשר לנסות שוב מאוחר יותר.',
    },
    badRequest: {
      title: 'זה לא הצליח',
      lead: 'הכתובת או הנתונים שנשלחו אינם תקינים. אפשר לחזור אחורה ולנסות שוב.',
    },
    forbidden: {
      title: 'השליחה לא התקבלה',
      lead: 'היא הגיעה מאתר אחר. אפשר לפתוח את הדף עצמו ולנסות שוב.',
    },
    methodNotAllowed: {
      title: 'זה לא הצליח',
      lead: 'אי אפשר לשלוח דבר לדף הזה. אפשר לחזור אחורה ולנסות שוב.',
    },
    tooLarge: {
      title: 'זה יותר מדי בבת אחת',
      lead: 'הנתונים שנשלחו גדולים ממה שהדף הזה מקבל. אפשר לקצר אותם ולנסות שוב.',
    },
    unsupported: {
      title: 'זה לא הצליח',
      lead: 'הדף הזה לא מבין את תבנית הנתונים שנשלחו.',
    },
    rateLimited: {
      title: 'רגע אחד, בבקשה',
      lead: 'הגיעו יותר מדי בקשות מהחיבור שלך. אפשר לנסות שוב בעוד דקה.',
    },
    unavailable: {
      title: 'כבר חוזרים',
      lead: 'אי אפשר להציג את הדף כרגע. אפשר לנסות שוב בעוד זמן קצר.',
    },
    failed: {
      title: 'משהו השתבש',
      lead: 'התקלה אצלנו. אפשר לנסות שוב בעוד זמן קצר.',
    },
  },
};
