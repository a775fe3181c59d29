import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { NotLoaded } from "./screens/no-page.tsx";

/**
 * Returns a screen or a part of one whose code is loaded when it is shown: few visits need it. `fallback` takes its place
 * if the code could not be loaded.
 */
export function rare<Props>(load: () => Promise<ComponentType<Props>>, fallback: ComponentType<Props> = NotLoaded): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => fallback) }));
}
