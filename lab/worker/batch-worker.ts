// A worker that serves the library's BatchPool; the page makes as many as it likes.
import { serveBatches } from 'nearfield/proximity';

serveBatches(self);
