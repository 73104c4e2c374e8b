// SPDX-License-Identifier: Apache-2.0
// The two jobs with contacts by MuJoCo, Runge-Kutta. It has no restitution: the stiffness (MORE) and the damping of the
// soft contact are set by the textbook formula for e. Setting: the step, or steps per period.
#include "contact.hpp"

#include <mujoco/mujoco.h>

#include <cstring>

int main(int argc, char** argv) {
    const peers::Job job = peers::job_of(argc, argv);
    const bool ball = job.problem == "ball";
    const peers::Ball b;
    const peers::Oscillator o = peers::oscillator_with_stop(job.e);
    const double step = ball ? job.setting : o.period() / job.setting;
    const double until = ball ? job.extent : job.extent * o.period();
    const double loss = -std::log(job.e);
    const double ratio = loss / std::sqrt(std::acos(-1.0) * std::acos(-1.0) + loss * loss);
    const double damping = 2.0 * ratio * std::sqrt(job.more);
    char text[2000];
    if (ball) {
        std::snprintf(
            text, sizeof text,
            "<mujoco><option timestep='%.17g' gravity='0 0 -%g' integrator='RK4'/><worldbody>"
            "<geom type='plane' size='5 5 1' solref='%g %g' solimp='0.9999 0.9999 0.001' "
            "condim='1'/><body pos='0 0 %g'><joint type='slide' axis='0 0 1'/><geom type='sphere' "
            "size='0.1' mass='1' condim='1' solref='%g %g' solimp='0.9999 0.9999 0.001'/></body>"
            "</worldbody></mujoco>",
            step, b.g, -job.more, -damping, b.height + 0.1, -job.more, -damping);
    } else {
        std::snprintf(
            text, sizeof text,
            "<mujoco><option timestep='%.17g' gravity='0 0 0' integrator='RK4'/><worldbody><body>"
            "<joint name='s' type='slide' axis='1 0 0' stiffness='1' damping='%g' limited='true' "
            "range='-1000 %g' solreflimit='%g %g' solimplimit='0.9999 0.9999 0.001'/><geom "
            "type='sphere' size='0.1' mass='1'/></body></worldbody></mujoco>",
            step, o.h, o.delta, -job.more, -damping);
    }
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "model.xml", static_cast<int>(std::strlen(text)));
    std::memcpy(files.filedata[files.nfile - 1], text, std::strlen(text));
    char problem[1000] = "";
    mjModel* model = mj_loadXML("model.xml", &files, problem, sizeof problem);
    if (model == nullptr) {
        std::fprintf(stderr, "%s\n", problem);
        return 1;
    }
    mjData* data = mj_makeData(model);
    peers::Answer answer;
    answer.lowest_gap = HUGE_VAL;
    const long steps = std::lround(until / step);
    double rate = 0.0;
    const double before = peers::cpu_seconds();
    for (long k = 0; k < steps; ++k) {
        if (!ball) data->qfrc_applied[0] = std::sin(o.w * (data->time + step / 2));
        mj_step(model, data);
        const double x = ball ? data->qpos[0] + b.height : data->qpos[0];
        answer.lowest_gap = std::min(answer.lowest_gap, ball ? x : o.delta - x);
        const bool turned = ball ? rate < 0.0 && data->qvel[0] > 0.0
                                 : rate > 0.0 && data->qvel[0] < 0.0 && x > o.delta - 0.05;
        if (turned) ++answer.impacts;
        rate = data->qvel[0];
    }
    answer.seconds = peers::cpu_seconds() - before;
    answer.steps = steps;
    answer.time = data->time;
    answer.state = {ball ? data->qpos[0] + b.height : data->qpos[0], data->qvel[0]};
    peers::print_answer("MuJoCo", job, answer);
    mj_deleteData(data);
    mj_deleteModel(model);
}
