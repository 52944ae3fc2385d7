/**
 * The condition that the analysis `a` is one of the project, and of the trajectory where one is named: whose an analysis is
 * stands on the trajectory of its import. SQL for a `WHERE`; the parameters are given by their numbers.
 */
export function ownedAnalysis({ project, trajectory }: { project: number; trajectory?: number }): string {
  const ofTrajectory = trajectory === undefined ? "" : ` AND t."id" = $${trajectory}`;
  return `EXISTS (SELECT 1 FROM "Import" i JOIN "Trajectory" t ON t."id" = i."trajectoryId"
    WHERE i."id" = a."importId" AND t."projectId" = $${project}${ofTrajectory})`;
}
