/** Hebrew. */
import type { MenuWords } from '../words.ts';

export const he: MenuWords = {
  sections: 'חלקי התפריט',
  filter: 'סינון',
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
};
