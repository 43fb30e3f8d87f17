// The parts of the bench that are loaded once something was opened; only the picture and its verdict come before.
import '../formula/formula-editor.js';
import '../records/data-line.js';
import '../review/review-tabs.js';
import './design-dialog.js';
import './tab-panel.js';
