import { forProject, readRun } from "@/app/api/v1/reads";

export const GET = readRun(forProject);
