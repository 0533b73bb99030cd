/** Arabic. */
import type { MenuWords } from '../words.ts';

export const ar: MenuWords = {
  sections: 'أقسام القائمة',
  filter: 'تصفية',
  diet: 'النظام الغذائي',
  without: 'إخفاء الأطباق التي يُذكر فيها',
  caution:
    'مسببات الحساسية كما تذكرها القائمة. الطبق الذي لم يُذكر فيه أحدها قد يحتوي عليه: يُرجى سؤال طاقم العمل.',
  apply: 'عرض الأطباق',
  clear: 'مسح التصفية',
  count: 'معروض {shown} من {total}',
  nothingFound: 'لا يوجد طبق يطابق هذه التصفية.',
  empty: 'لا شيء في هذه القائمة بعد.',
  allergens: 'مسببات الحساسية:',
  online: 'هذه القائمة على الإنترنت:',
  allergenNames: {
    gluten: 'الغلوتين',
    dairy: 'الحليب',
    eggs: 'البيض',
    nuts: 'المكسرات',
    peanuts: 'الفول السوداني',
    soy: 'الصويا',
    fish: 'السمك',
    shellfish: 'القشريات',
    sesame: 'السمسم',
    celery: 'الكرفس',
    mustard: 'الخردل',
    sulphites: 'الكبريتيت',
    lupin: 'الترمس',
    molluscs: 'الرخويات',
  },
  dietNames: {
    vegetarian: 'نباتي',
    vegan: 'نباتي صرف',
    'gluten-free': 'خالٍ من الغلوتين',
    'dairy-free': 'خالٍ من الألبان',
    halal: 'حلال',
    kosher: 'كوشر',
    spicy: 'حار',
  },
};
