// All that is shown after the first picture and has no view of its own, in one file.
import '../../text/later-sentences.js';
import '../keys/key-shortlist.js';
import '../map/key-list.js';
import '../map/region-table.js';
import '../map/split-panel.js';
import '../review/compare-panel.js';
import '../review/existing-panel.js';
import '../review/growth-panel.js';
import '../review/query-panel.js';
import '../review/server-panel.js';
import '../review/storage-panel.js';
import '../review/sweep-view.js';
import './key-bar.js';
import './take-away.js';
