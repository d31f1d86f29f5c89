import React, { memo, useState, type ReactNode } from 'react';
import * as styles from './list.module.css';
import type { Task, TaskId } from '../model';

const Editor = React.lazy(() => import('./editor'));

/** What the list needs. */
export interface ListProps<T extends Task = Task> {
  tasks: readonly T[];
  children?: ReactNode;
  /** Called once for each tick. */
  onDone(id: TaskId): void;
}

type State = { open: boolean; picked: TaskId | null };
const initial: State = { open: false, picked: null };

// Loads the tasks of one user.
export function useTasks(user: string): [Task[], () => Promise<void>] {
  const [tasks, setTasks] = useState<Task[]>([]);
  const reload = async () => {
    const answer = await fetch(`/tasks/${user}`);
    setTasks((await answer.json()) as Task[]);
  };
  return [tasks, reload];
}

/** One line of the list. */
export const Row = memo(({ task, onDone }: { task: Task; onDone: ListProps['onDone'] }) => {
  const handleClick = () => onDone(task.id);
  return (
    <li key={task.id} className={styles.row} onClick={handleClick}>
      {task.done ? <s>{task.title}</s> : task.title} &middot; {'// not a comment'}
    </li>
  );
});

const Field = React.forwardRef<HTMLInputElement, { label: string }>(function Field(props, ref) {
  return <label>{props.label}<input ref={ref} /></label>;
});

export default function TaskList<T extends Task>({ tasks, children, onDone }: ListProps<T>) {
  const [state, setState] = useState(initial);
  const pick = React.useCallback((id: TaskId) => {
    setState({ ...state, picked: id });
  }, [state]);

  return (
    <>
      {/* Rows first, then whatever else was handed in. */}
      {tasks.map((task) => <Row key={task.id} task={task} onDone={onDone} />)}
      <Editor.Pane<T> open={state.open} onPick={pick}>{children}</Editor.Pane>
      <Field label="New" data-kind="text" />
    </>
  );
}

/** Shows what went wrong instead of the list. */
export class Boundary extends React.Component<{ children: ReactNode }, { failed: boolean }> {
  static displayName = 'Boundary';
  state = { failed: false };
  reset = (): void => this.setState({ failed: false });

  static getDerivedStateFromError(): { failed: true } {
    return { failed: true };
  }

  render() {
    return this.state.failed ? <button onClick={this.reset}>Again</button> : this.props.children;
  }
}

export const identity = <T,>(value: T): T => value;
TaskList.Row = (props: ListProps) => <TaskList {...props} />;
