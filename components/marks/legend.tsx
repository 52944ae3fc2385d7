import type { ReactNode } from "react";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/class-names";
import { Mark, type MarkKind } from "./mark";
import { RunStrip } from "./run-strip";
import { SaidBy } from "./source";
import { TestMark, WriteMark } from "./strip-marks";

function Row({ sign, name, children }: { sign: ReactNode; name?: string; children: ReactNode }): ReactNode {
  return (
    <div className="flex min-h-7 items-center border-b border-line">
      <dt className="contents">
        <span className="flex w-18 shrink-0 items-center narrow:w-14">{sign}</span>
        {name !== undefined && <span className="w-32 shrink-0 font-medium narrow:w-28">{name}</span>}
      </dt>
      <dd className={cn("text-fg-2", name === undefined && "pl-2")}>{children}</dd>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className="pb-4">
      <h2 className="border-b border-line pb-1 text-12 font-medium text-fg-3">{title}</h2>
      <dl>{children}</dl>
    </section>
  );
}

const bare = (kind: MarkKind) => <Mark kind={kind} label={null} />;

/** Every mark that the pages use, with its meaning. */
export function Legend(): ReactNode {
  return (
    <div className="grid grid-cols-3 gap-x-8 max-lg:grid-cols-2 narrow:grid-cols-1 [&>div]:min-w-0">
      <div>
        <Group title="Marks">
          <Row sign={bare("decisive")} name="Decisive error">
            correcting it alone saves the run
          </Row>
          <Row sign={bare("candidate")} name="Candidate">
            a turn that is ranked below the first
          </Row>
          <Row sign={bare("confirmed")} name="Person">
            says that it went wrong here, with a reason
          </Row>
          <Row sign={bare("undetermined")} name="Undetermined">
            no answer, with the reason; never a zero
          </Row>
        </Group>
        <Group title="Outcome">
          <Row sign={bare("failed")} name="Failed">
            no colour: red is the decisive error
          </Row>
          <Row sign={bare("resolved")} name="Resolved">
            by the tests of the task
          </Row>
          <Row sign={bare("unknownOutcome")} name="Unknown">
            the trace does not say
          </Row>
        </Group>
        <Group title="Source of a statement">
          <Row
            sign={
              <SaidBy kind="rule" className="text-fg [&_svg]:size-3.5">
                {" "}
              </SaidBy>
            }
            name="Rule"
          >
            plain code, versioned
          </Row>
          <Row
            sign={
              <SaidBy kind="judge" className="text-fg [&_svg]:size-3.5">
                {" "}
              </SaidBy>
            }
            name="Judge"
          >
            a model, its quotations checked
          </Row>
          <Row
            sign={
              <SaidBy kind="person" className="text-fg [&_svg]:size-3.5">
                {" "}
              </SaidBy>
            }
            name="Person"
          >
            counts before every engine
          </Row>
        </Group>
      </div>
      <div>
        <Group title="State of a file">
          <Row sign={bare("given")} name="given">
            attached by a person
          </Row>
          <Row sign={bare("recorded")} name="recorded">
            the trace held the content
          </Row>
          <Row sign={bare("replayed")} name="replayed">
            we applied the edit
          </Row>
          <Row sign={bare("partial")} name="partial">
            known ranges and gaps
          </Row>
          <Row sign={bare("unknown")} name="unknown">
            may have changed unseen
          </Row>
        </Group>
        <Group title="Run, in the table">
          <Row
            sign={<RunStrip strip="....W...WW.." turnCount={12} verdictTurn={null} decorative className="w-14" />}
            name="write"
          >
            to a delivered file: the tallest bar
          </Row>
          <Row
            sign={<RunStrip strip="...w..xx...." turnCount={12} verdictTurn={null} decorative className="w-14" />}
            name="scratch write"
          >
            or a command that ran: half high
          </Row>
          <Row
            sign={<RunStrip strip="............" turnCount={12} verdictTurn={null} decorative className="w-14" />}
            name="reading"
          >
            and thought: the ground line
          </Row>
        </Group>
      </div>
      <div>
        <Group title="Strip">
          <Row sign={<WriteMark kind="write" label={null} />} name="write">
            to a delivered file
          </Row>
          <Row sign={<WriteMark kind="scratch" label={null} />} name="scratch write">
            not delivered
          </Row>
          <Row sign={<WriteMark kind="refused" label={null} />} name="refused write">
            changed nothing
          </Row>
          <Row sign={<WriteMark kind="opaque" label={null} />} name="opaque write">
            a command that may have written
          </Row>
          <Row sign={<TestMark kind="failures" label={null} />} name="test run">
            with failures
          </Row>
          <Row sign={<TestMark kind="passed" label={null} />} name="test run">
            all pass
          </Row>
          <Row sign={<TestMark kind="unread" label={null} />} name="test run">
            its result could not be read
          </Row>
        </Group>
        <Group title="In text">
          <Row
            sign={
              <Chip>
                <Mark kind="decisive" size={10} label={null} />
                #27
              </Chip>
            }
          >
            link to a turn, with its mark
          </Row>
          <Row sign={<Chip>#11</Chip>}>link to a turn without one</Row>
          <Row sign={<mark className="border-b-2 border-dec bg-dec-bg px-0.5 text-fg">quoted</mark>}>
            evidence, checked against the trace
          </Row>
          <Row sign={<span className="rounded-4 border border-line-3 bg-bg-3 px-1 text-12 leading-4">redacted</span>}>
            secret, masked on every shared page
          </Row>
        </Group>
        <Group title="Dashed means not known">
          <Row sign={<span aria-hidden className="h-4 w-10 rounded-4 border border-dashed border-line-3" />}>
            unknown, refused, not read
          </Row>
        </Group>
      </div>
    </div>
  );
}
