// The parts of the bench that are loaded once something was opened; only the picture and its verdict come before.
import '../formula/formula-editor.js';
import '../map/key-list.js';
import '../map/region-table.js';
import '../map/split-panel.js';
import '../records/data-line.js';
import '../review/review-tabs.js';
import './design-dialog.js';
