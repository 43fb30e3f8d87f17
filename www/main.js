import { start } from './loading.js';
import './elements/rowscape-page.js';
import { keptTheme } from './kept.js';
import { followReview } from './review.js';
import { change } from './store.js';

change({ theme: keptTheme() });
followReview();
start();
