import './elements/rowscape-page.js';
import { keptTheme } from './kept.js';
import { start } from './opening.js';
import { followAddress } from './places.js';
import { followReview } from './review.js';
import { change } from './store.js';

change({ theme: keptTheme() });
followReview();
followAddress();
start();
