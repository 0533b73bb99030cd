/** The tasks of all features, as the queue takes them. */
import { parseCrontab, type TaskList } from 'graphile-worker';

/** A task that runs in the queue: once, however many processes there are, and again where it fails. */
export interface Task {
  /** The name of the task, unique over all features. */
  readonly task: string;
  /** When it is due, as the five fields of a crontab (UTC). Without one it runs when it is added to the queue. */
  readonly schedule?: string;
  run(payload: unknown): Promise<void>;
}

export interface Tasks {
  tasks: TaskList;
  /** Lines of a crontab (UTC). */
  crontab: string;
}

export interface FeatureTasks {
  /** The feature's name. */
  name: string;
  tasks?: readonly Task[];
}

/** @throws {Error} naming a task that two features have, or whose schedule is invalid */
export const collectTasks = (features: readonly FeatureTasks[]): Tasks => {
  const owners = new Map<string, string>();
  const collected: TaskList = {};
  const lines: string[] = [];
  for (const { name, tasks = [] } of features) {
    for (const { task, schedule, run } of tasks) {
      const owner = owners.get(task);
      if (owner !== undefined) {
        throw new Error(`the task '${task}' is declared twice: by ${owner} and by ${name}`);
      }
      owners.set(task, name);
      collected[task] = run;
      if (schedule !== undefined) lines.push(crontabLine(name, task, schedule));
    }
  }
  return { tasks: collected, crontab: lines.join('\n') };
};

const fiveFields = /^\S+( \S+){4}$/;

const crontabLine = (feature: string, task: string, schedule: string): string => {
  const line = `${schedule} ${task}`;
  try {
    if (!fiveFields.test(schedule)) throw new Error('a schedule has five fields');
    parseCrontab(line);
  } catch (cause) {
    throw new Error(
      `the schedule of ${feature}'s task '${task}' must be the five fields of a crontab; given: '${schedule}'`,
      { cause },
    );
  }
  return line;
};
