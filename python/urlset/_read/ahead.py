"""Files that are parsed before they are asked for, by all who have nothing else to do. Decides nothing, opens nothing.

A pass hears of its files in one order whatever the number of threads. `Ahead.over` walks through what comes next and
begins the parse of the things behind; `Ahead.take` gives what is known of one, and parses what is not:

    over: things in order -> begun: tasks, the soonest needed first -> take: what each piece told, in order
                                 ^ helpers, and whoever waits, do a step of the first that is free and has room

A task is worked on by whoever holds its lock, for one step of about two megabytes. Whoever asks for a task that nobody
works on does it itself, so that nothing depends on helpers: they end as soon as nothing is to be done, and are started
anew when there is. A pass that is dropped leaves them nothing to do. A thing that was begun and is not wanted is
dropped with its work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import Lock, Thread, get_ident, main_thread
from typing import Protocol, TypeVar

from urlset._read.pieces import Parsed, Told
from urlset.errors import Unreadable, UrlsetError

__all__ = ["Ahead", "Job"]

STEP = 2 << 20
"""Bytes after gunzip of a step, most files in one; what is dropped, and an end that is waited for, cost one at most."""
ROOM = STEP
"""Bytes of one file that may wait for being asked for when a step begins."""
SHARE = 2 * STEP
"""The same of all files, for each thread."""
CLOSING_S = 1.0
"""Seconds that a step is waited for when its file is dropped. It is over in milliseconds, or its disk hangs."""

WINDOW = 4
"""Files begun at a time, for each thread. One that nobody works on yet is not open."""

T = TypeVar("T")


class Job(Protocol):
    """A file to parse; equal ones give the same."""

    @property
    def label(self) -> str:
        """What to call it."""
        ...

    def told(self) -> Parsed:
        """Return what its pieces give; nothing is opened before the first is asked for."""
        ...


class Task:
    """A file whose parse has begun. Whoever holds the lock works on it; only the pass takes what was told."""

    __slots__ = ("depth", "dropped", "job", "lock", "made", "over", "owner", "raised", "steps", "taken", "told")

    def __init__(self, job: Job, depth: int) -> None:
        self.job = job
        self.depth = depth
        self.lock = Lock()
        self.owner = 0
        self.told: deque[Told] = deque()
        self.steps = job.told()
        self.made = self.taken = 0  # two, since two threads count
        self.over = self.dropped = False
        self.raised: BaseException | None = None

    def free(self, room: int) -> bool:
        """Take the lock if there is something to do and room for it."""
        if self.idle() or self.made - self.taken >= room or not self.lock.acquire(blocking=False):
            return False
        if self.idle():  # by now: somebody else had the lock
            self.lock.release()
            return False
        return True

    def idle(self) -> bool:
        """Whether nothing is to be done any more."""
        return self.over or self.dropped

    def step(self, size: int) -> None:
        """Parse a piece, and more until so many bytes are done; the lock is held, and is given back.

        What is wrong with the source is kept for whoever asks for it. Any other exception comes out here: it may be one
        that a signal raised.
        """
        self.owner = get_ident()
        until = self.made + size
        try:
            for told in self.steps:
                self.told.append(told)
                self.made += told.size
                if self.made >= until or self.dropped:
                    break
            else:
                self.over = True
        except UrlsetError as error:
            self.raised, self.over = error, True
        except BaseException as error:
            self.raised, self.over = error, True
            raise
        finally:
            if self.dropped:
                self._close()
            self.owner = 0
            self.lock.release()

    def drop(self, *, here: bool) -> None:
        """End it, with what it has open; `here` says that it began in this process.

        It may be called by a finalizer, in the middle of anything: a lock that is held here is not waited for.
        """
        self.dropped = True
        if here and not self.over and self.owner != get_ident() and self.lock.acquire(timeout=CLOSING_S):
            self._close()
            self.lock.release()

    def _close(self) -> None:
        self.over = True
        self.told.clear()
        self.steps.close()


class Ahead:
    """The files of one pass that are parsed ahead, by the thread that asks and by helpers beside it.

    >>> ahead = Ahead(threads=1)
    >>> list(ahead.over("abc", lambda letter: None))
    ['a', 'b', 'c']
    """

    def __init__(self, threads: int) -> None:
        """Begin nothing yet; no thread is started before a second file is there."""
        self._window = WINDOW * threads if threads > 1 else 0
        self._most = threads - 1
        self._bytes = SHARE * threads
        self._process = os.getpid()
        self._depth = 0
        self._tasks: tuple[Task, ...] = ()
        """The soonest needed first. It is replaced and never changed, since helpers look at it."""
        self._helpers: list[Thread] = []

    def over(self, things: Iterable[T], job_of: Callable[[T], Job | None]) -> Iterator[T]:
        """Yield things in their order, while the jobs of those that follow are begun; None is for things that wait.

        A job that was not taken when the next thing is asked for is dropped.
        """
        coming = iter(things)
        waiting: deque[tuple[T, Task | None]] = deque()
        self._depth += 1
        depth = self._depth
        try:
            while True:
                while len(waiting) <= self._window:
                    try:
                        thing = next(coming)
                    except StopIteration:
                        break
                    waiting.append((thing, self._begin(job_of(thing), depth) if self._window else None))
                if not waiting:
                    return
                yield waiting[0][0]
                self._drop(waiting.popleft()[1])
        finally:
            self._depth -= 1
            while waiting:
                self._drop(waiting.popleft()[1])

    def take(self, job: Job) -> Parsed:
        """Return what the pieces of a file give, as `job.told()` does, whoever parses them."""
        if self._here:
            for task in self._tasks:
                if task.job == job:
                    return self._draw(task)
        return job.told()

    @property
    def _here(self) -> bool:
        """Whether this is the process in which it began: helpers, and files at their places, are not inherited."""
        return os.getpid() == self._process

    def _begin(self, job: Job | None, depth: int) -> Task | None:
        if job is None or not self._here or any(task.job == job for task in self._tasks):
            return None
        task = Task(job, depth)
        self._tasks = tuple(sorted((*self._tasks, task), key=lambda one: -one.depth))
        if len(self._tasks) > 1:
            self._rouse()
        return task

    def _drop(self, task: Task | None) -> None:
        if task is not None:
            self._tasks = tuple(one for one in self._tasks if one is not task)
            task.drop(here=self._here)

    def _draw(self, task: Task) -> Parsed:
        while True:
            over = task.over
            if task.told:
                told = task.told.popleft()
                task.taken += told.size
                self._rouse()
                yield told
                continue
            if over:
                if task.raised is not None:
                    raise task.raised
                return
            if not self._here:
                raise Unreadable("reading began in another process, a new read was expected", task.job.label)
            if task.lock.acquire(blocking=False):
                task.step(0)
            elif (other := self._free(ROOM)) is not None:
                other.step(STEP)
            else:
                with task.lock:
                    pass

    def _free(self, room: int) -> Task | None:
        """Return the soonest needed task on which nobody works, locked, unless too much waits already."""
        tasks = self._tasks
        if sum(task.made - task.taken for task in tasks) >= self._bytes:
            return None
        return next((task for task in tasks if task.free(room)), None)

    def _rouse(self) -> None:
        """Start a helper where there are fewer than may be, and something to do that is worth it."""
        if len(self._helpers) >= self._most:
            self._helpers = [helper for helper in self._helpers if helper.is_alive()]
            if len(self._helpers) >= self._most:
                return
        # An interpreter that ends waits for helpers when its main thread is done, and for none that begins later.
        if not self._here or not main_thread().is_alive() or (task := self._free(ROOM // 2)) is None:
            return
        helper = Thread(target=self._help, args=(task,), name="urlset-read")
        try:
            helper.start()
        except RuntimeError:  # no more threads: whoever asks does it
            task.lock.release()
        else:
            self._helpers.append(helper)

    def _help(self, task: Task | None) -> None:
        while task is not None:
            with suppress(BaseException):  # it is kept in the task, for the pass to raise
                task.step(STEP)
            task = self._free(ROOM)
