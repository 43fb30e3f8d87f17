// Sentences of parts that are opened later: a build of the page leaves just those here, and the others in sentences.js.
import english from '../../data/messages/en.json' with { type: 'json' };
import plurals from '../../data/messages/en.plurals.json' with { type: 'json' };
import { learn } from './sentences.js';

learn(english, plurals);
