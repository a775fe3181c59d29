import { useState } from "react";
import { messageOf } from "./outcome.ts";

/** A checkbox that changes a setting at once. `isOn` is null or undefined while it cannot be read. */
export function Setting({ label, isOn, set }: {
  label: string;
  isOn: boolean | null | undefined;
  set: (isOn: boolean) => Promise<{ error?: unknown; data?: unknown }>;
}) {
  const [isSetting, setIsSetting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const change = async () => {
    setIsSetting(true);
    setProblem(messageOf(await set(!isOn)));
    setIsSetting(false);
  };
  return (
    <p>
      <label>
        <input type="checkbox" checked={isOn ?? false} disabled={isSetting || typeof isOn !== "boolean"} onChange={change} /> {label}
      </label>
      {problem && <span role="alert" className="problem">{problem}</span>}
    </p>
  );
}
