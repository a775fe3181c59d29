export { Log } from "./log.tsx";
export { Moderation } from "./moderation.tsx";
export { Queue } from "./queue.tsx";
