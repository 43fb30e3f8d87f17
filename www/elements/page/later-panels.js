// Panels of all tabs but the first, in one file: it is fetched after the first picture.
import '../map/key-list.js';
import '../map/region-table.js';
import '../map/split-panel.js';
import '../review/compare-panel.js';
import '../review/growth-panel.js';
import '../review/query-panel.js';
import '../review/server-panel.js';
import '../review/storage-panel.js';
import '../review/sweep-view.js';
