// Watches the threads that the package starts.
const node = /** @type {typeof import('node:worker_threads')} */ (
  process.getBuiltinModule('node:worker_threads')
);
const { Worker } = node;
const seen = { started: 0, ended: 0, given: 0 };

node.Worker = class extends Worker {
  /** @param {ConstructorParameters<typeof Worker>} args */
  constructor(...args) {
    super(...args);
    seen.started++;
    this.on('exit', () => void seen.ended++);
    this.on('message', (message) => {
      if (message.given) seen.given++;
    });
  }
};

/** Slices that threads have handed over. */
export const given = () => seen.given;
/** Threads that were started. */
export const started = () => seen.started;
/** Threads that have not ended. */
export const running = () => seen.started - seen.ended;
