import { start } from './loading.js';
import './elements/rowscape-page.js';
import { keptTheme } from './kept.js';
import { change } from './store.js';

change({ theme: keptTheme() });
start();
