import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { NotLoaded } from "./screens/no-page.tsx";

/** Returns a screen whose code is loaded when somebody opens it: few visits need it. */
export function rare<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => NotLoaded) }));
}
