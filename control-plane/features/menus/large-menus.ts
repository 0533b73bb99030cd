/** Large menus, in a thread. */
import { answerLarge } from '../hosted/large/in-thread.ts';
import { menuPage } from './page/menu-page.ts';
import { menuRules } from './rules.ts';

export default answerLarge(menuRules, menuPage);
