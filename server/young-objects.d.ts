/**
 * V8 watches which places in a program make objects that live long, and from then on puts theirs straight among the old ones. An
 * analysis's objects live as long as the file's model and then die together; those among the old ones would keep all that they refer to
 * until the next collection of everything, and each small collection before that would copy it: a third of an analysis's time.
 * To be called before the first analysis. Counts for all threads of the process.
 */
export declare function keepObjectsYoung(): void;
