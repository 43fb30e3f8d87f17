import { setLanguage } from './actions.js';
import { followAside } from './aside.js';
import './elements/rowscape-page.js';
import { keptLanguage, keptTheme } from './kept.js';
import { start } from './opening.js';
import { followAddress } from './places.js';
import { followReview } from './review.js';
import { followRoute } from './route.js';
import { change } from './store.js';
import { languageOf } from './text.js';

change({ theme: keptTheme() });
followRoute();
followReview();
followAside();
followAddress();
const language = languageOf([keptLanguage() ?? '', ...navigator.languages]);
if (language === 'en') start();
else void setLanguage(language).then(start);
