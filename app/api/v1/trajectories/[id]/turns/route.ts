import { forProject, readTurns } from "@/app/api/v1/reads";

export const GET = readTurns(forProject);
