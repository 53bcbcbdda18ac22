// The requirements of the design, and the tasks that meet them.

import { fieldsOf, idOf, type RunView, type TaskView } from "./shape.ts";

export interface RequirementView {
  readonly id: string;
  readonly text: string;
  /** The tasks that cover it and are complete. */
  readonly met: readonly TaskView[];
}

/** As the sections of the design state them. */
export function requirementsOf({ brainstorm, tasks }: RunView): readonly RequirementView[] {
  const complete = [...tasks.values()].filter(({ status }) => status === "complete");
  return brainstorm.sections.flatMap((section) => {
    const { requirements } = fieldsOf(section);
    if (!Array.isArray(requirements)) return [];
    return requirements.map((requirement) => {
      const id = idOf(requirement);
      const met = complete.filter(({ covers }) => covers.includes(id));
      return { id, text: `${fieldsOf(requirement)["text"] ?? ""}`, met };
    });
  });
}
