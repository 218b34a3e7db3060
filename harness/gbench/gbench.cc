/* SPDX-License-Identifier: Apache-2.0
 *
 * The C face of libbenchmark.
 *
 * libbenchmark answers misuse, and some corner cases of its own, with abort(), and a wrong command
 * line with exit(). A C library must do neither, so this file checks before it calls: what would
 * trip a check over there is a result code, or the run's error, here. Every entry point is a try
 * block; inside a body, what is thrown becomes the error of the run.
 *
 * Versions of libbenchmark differ in names (error_occurred became skipped), in signatures and in
 * how the headers are cut. Nothing here asks for a version number: overloads take what there is.
 *
 * It depends on libbenchmark's public header and the C++ library only.
 */
#include "gbench.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace
{

constexpr double ns_per_s = 1e9;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/* Short enough that a std::string holds it without an allocation; see running::fail(). */
constexpr char out_of_memory[] = "out of memory";

/* Its name and namespace vary. */
using google_benchmark = std::remove_pointer_t<decltype(benchmark::RegisterBenchmark(
    "", static_cast<void (*)(benchmark::State &)>(nullptr)))>;

using arg_lists = std::vector<std::vector<int64_t>>;

struct wrong_usage {
};

template <class Work> enum gb_code guarded(Work &&work) noexcept
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return GB_ERR_NOMEM;
    } catch (const std::length_error &) {
        return GB_ERR_NOMEM;
    } catch (const wrong_usage &) {
        return GB_ERR_USAGE;
    } catch (...) {
        return GB_ERR_EXCEPTION;
    }
}

/* The number behind an enum of a C caller, which C++ may not read before it is known to be valid.
 */
template <class Enum> unsigned number_of(const Enum &value)
{
    static_assert(sizeof value == sizeof(unsigned), "an enum of C");
    unsigned number = 0;
    std::memcpy(&number, &value, sizeof number);
    return number;
}

void refuse_to_run(struct gb_state *state, void *)
{
    gb_state_skip_with_error(state, out_of_memory);
}

} // namespace

/* A registered benchmark and what is remembered of its runs; the threads of a run share it. */
struct gb_benchmark {
    gb_body body = refuse_to_run; /* until it is registered completely */
    void *payload = nullptr;
    google_benchmark *google = nullptr;
    std::vector<std::string> arg_names;
    size_t n_args = 0; /* of each instance */
    size_t n_instances = 0;

    std::mutex mutex;
    std::map<std::vector<int64_t>, std::string> errors; /* by arguments and threads */
    std::map<std::string, unsigned> counter_flags;
};

namespace
{

/*
 * What libbenchmark keeps in globals that can't be looked into: the benchmarks that gb_register()
 * gave out, and whether its flags may have been set, by the environment or by gb_initialize().
 */
struct mirror {
    std::vector<std::unique_ptr<gb_benchmark>> benchmarks;
    bool flags_may_be_set = true;
};

/* A function's static, so that it is there for the statics of other files. */
mirror &globals()
{
    static mirror only;
    return only;
}

void clear()
{
    benchmark::ClearRegisteredBenchmarks();
    globals().benchmarks.clear();
}

/* One run of a body in one thread. */
class running : public gb_state
{
  public:
    running(benchmark::State &state, gb_benchmark &owner) : state_(state), owner_(owner)
    {
        left = 0;
    }

    void run();
    uint64_t next_batch();
    void pause();
    void resume();
    void fail(const char *message) noexcept;
    void set_counter(const char *name, const benchmark::Counter &counter, unsigned flags);
    int64_t arg(size_t index);

    size_t n_args() const
    {
        return owner_.n_args;
    }
    benchmark::State &google() const
    {
        return state_;
    }

  private:
    std::vector<int64_t> key() const;
    bool failed_before();
    bool same_flags(const char *name, unsigned flags);
    void remember_error(const char *message) noexcept;
    void finish() noexcept;

    benchmark::State &state_;
    gb_benchmark &owner_;
    bool started_ = false;
    bool finished_ = false;
    bool paused_ = false;
};

running &of(gb_state *state)
{
    return *static_cast<running *>(state);
}

const running &of(const gb_state *state)
{
    return *static_cast<const running *>(state);
}

template <class Work> void guarded_in(gb_state *state, Work &&work) noexcept
{
    running &run = of(state);
    try {
        work(run);
    } catch (const std::bad_alloc &) {
        run.fail(out_of_memory);
    } catch (const std::exception &thrown) {
        run.fail(thrown.what());
    } catch (...) {
        run.fail("something was thrown that is no std::exception");
    }
}

void running::run()
{
    guarded_in(this, [this](running &) {
        if (!failed_before()) {
            owner_.body(this, owner_.payload);
        }
    });
    if (!finished_) {
        fail("the body returned before its loop was over");
    }
    finish();
}

std::vector<int64_t> running::key() const
{
    std::vector<int64_t> key;
    for (size_t i = 0; i < owner_.n_args; i++) {
        key.push_back(state_.range(i));
    }
    key.push_back(state_.threads());
    return key;
}

/*
 * When the first repetition of an instance has failed and two later ones have not, libbenchmark
 * (1.7.1 to 1.9.5) computes aggregates through a pointer that was never set. So all repetitions
 * after a failed one fail as well, which also keeps a broken body from being run again.
 */
bool running::failed_before()
{
    std::string message;
    {
        const std::lock_guard<std::mutex> lock(owner_.mutex);
        if (owner_.errors.empty()) {
            return false;
        }
        const auto found = owner_.errors.find(key());
        if (found == owner_.errors.end()) {
            return false;
        }
        message = found->second;
    }
    fail(message.c_str());
    return true;
}

void running::remember_error(const char *message) noexcept
{
    try {
        const std::lock_guard<std::mutex> lock(owner_.mutex);
        owner_.errors.emplace(key(), message);
    } catch (...) {
        /* No memory to remember it with; this run is reported as failed all the same. */
        return;
    }
}

/* The first message stays. */
void running::fail(const char *message) noexcept
{
    left = 0;
    if (state_.error_occurred()) {
        return;
    }
    try {
        state_.SkipWithError(message);
    } catch (...) {
        message = out_of_memory;
        state_.SkipWithError(message);
    }
    remember_error(message);
}

/*
 * Sends a failed run through the start and the end of its loop after all: other threads wait for
 * it there, and a loop that never started would report 0 iterations, which libbenchmark's
 * aggregates take for a broken invariant.
 */
void running::finish() noexcept
{
    if (!finished_) {
        finished_ = true;
        (void)state_.KeepRunning();
    }
}

uint64_t running::next_batch()
{
    if (finished_) {
        return 0;
    }
    if (state_.error_occurred()) {
        finish();
        return 0;
    }
    resume(); /* libbenchmark aborts when a loop ends with the clock stopped */
    started_ = true;
    if (state_.KeepRunningBatch(state_.max_iterations)) {
        return static_cast<uint64_t>(state_.max_iterations);
    }
    finished_ = true;
    return 0;
}

void running::pause()
{
    if (!started_ || finished_ || paused_ || state_.error_occurred()) {
        return;
    }
    state_.PauseTiming();
    paused_ = true;
}

void running::resume()
{
    if (!paused_ || finished_ || state_.error_occurred()) {
        return;
    }
    state_.ResumeTiming();
    paused_ = false;
}

/* libbenchmark aborts when two repetitions give a counter different flags. */
bool running::same_flags(const char *name, unsigned flags)
{
    const std::lock_guard<std::mutex> lock(owner_.mutex);
    return owner_.counter_flags.emplace(name, flags).first->second == flags;
}

void running::set_counter(const char *name, const benchmark::Counter &counter, unsigned flags)
{
    if (name == nullptr || *name == '\0') {
        fail("a counter without a name");
    } else if (!same_flags(name, flags)) {
        fail((std::string("counter ") + name + " had other flags before").c_str());
    } else {
        state_.counters[name] = counter;
    }
}

int64_t running::arg(size_t index)
{
    if (index < owner_.n_args) {
        return state_.range(index);
    }
    fail(("there is no argument number " + std::to_string(index)).c_str());
    return 0;
}

struct flag_pair {
    unsigned ours;
    benchmark::Counter::Flags theirs;
};

constexpr flag_pair counter_flags[] = {
    {GB_COUNTER_RATE, benchmark::Counter::kIsRate},
    {GB_COUNTER_AVG_THREADS, benchmark::Counter::kAvgThreads},
    {GB_COUNTER_ITERATION_INVARIANT, benchmark::Counter::kIsIterationInvariant},
    {GB_COUNTER_AVG_ITERATIONS, benchmark::Counter::kAvgIterations},
    {GB_COUNTER_INVERT, benchmark::Counter::kInvert},
};

benchmark::Counter make_counter(double value, unsigned flags)
{
    benchmark::Counter counter(value);
    for (const flag_pair &pair : counter_flags) {
        if ((flags & pair.ours) != 0) {
            counter.flags = counter.flags | pair.theirs;
        }
    }
    if ((flags & GB_COUNTER_KIB) != 0) {
        counter.oneK = benchmark::Counter::kIs1024;
    }
    return counter;
}

unsigned flags_of(const benchmark::Counter &counter)
{
    unsigned flags = counter.oneK == benchmark::Counter::kIs1024 ? unsigned{GB_COUNTER_KIB} : 0u;
    for (const flag_pair &pair : counter_flags) {
        if ((counter.flags & pair.theirs) != 0) {
            flags |= pair.ours;
        }
    }
    return flags;
}

} // namespace

extern "C" uint64_t gb_state_next_batch(struct gb_state *state)
{
    uint64_t n = 0;
    guarded_in(state, [&n](running &run) { n = run.next_batch(); });
    return n;
}

extern "C" uint64_t gb_state_iterations(const struct gb_state *state)
{
    return static_cast<uint64_t>(of(state).google().max_iterations);
}

extern "C" int64_t gb_state_arg(struct gb_state *state, size_t index)
{
    int64_t arg = 0;
    guarded_in(state, [&arg, index](running &run) { arg = run.arg(index); });
    return arg;
}

extern "C" size_t gb_state_args(const struct gb_state *state)
{
    return of(state).n_args();
}

extern "C" unsigned gb_state_thread(const struct gb_state *state)
{
    return static_cast<unsigned>(of(state).google().thread_index());
}

extern "C" unsigned gb_state_threads(const struct gb_state *state)
{
    return static_cast<unsigned>(of(state).google().threads());
}

extern "C" void gb_state_pause(struct gb_state *state)
{
    guarded_in(state, [](running &run) { run.pause(); });
}

extern "C" void gb_state_resume(struct gb_state *state)
{
    guarded_in(state, [](running &run) { run.resume(); });
}

extern "C" void gb_state_skip_with_error(struct gb_state *state, const char *message)
{
    of(state).fail(message == nullptr ? "" : message);
}

extern "C" void gb_state_set_iteration_time(struct gb_state *state, double seconds)
{
    if (seconds >= 0) {
        of(state).google().SetIterationTime(seconds);
    } else {
        of(state).fail("an iteration time that is negative or not a number");
    }
}

extern "C" void gb_state_set_counter(struct gb_state *state, const char *name, double value,
                                     unsigned flags)
{
    guarded_in(state, [name, value, flags](running &run) {
        run.set_counter(name, make_counter(value, flags), flags);
    });
}

extern "C" void gb_state_set_bytes_processed(struct gb_state *state, int64_t bytes)
{
    gb_state_set_counter(state, "bytes_per_second", static_cast<double>(bytes),
                         GB_COUNTER_RATE | GB_COUNTER_KIB);
}

extern "C" void gb_state_set_items_processed(struct gb_state *state, int64_t items)
{
    gb_state_set_counter(state, "items_per_second", static_cast<double>(items), GB_COUNTER_RATE);
}

extern "C" void gb_state_set_label(struct gb_state *state, const char *text)
{
    guarded_in(state, [text](running &run) { run.google().SetLabel(text == nullptr ? "" : text); });
}

namespace
{

/* The names in 1.7.1, and the later ones. */
template <class Run> auto error_of(const Run &run, int) -> decltype(run.error_message.c_str())
{
    return run.error_occurred ? run.error_message.c_str() : nullptr;
}

template <class Run> auto error_of(const Run &run, long) -> decltype(run.skip_message.c_str())
{
    return static_cast<unsigned>(run.skipped) != 0 ? run.skip_message.c_str() : nullptr;
}

enum gb_time_unit unit_of(benchmark::TimeUnit unit)
{
    switch (unit) {
    case benchmark::kMicrosecond:
        return GB_UNIT_US;
    case benchmark::kMillisecond:
        return GB_UNIT_MS;
    case benchmark::kSecond:
        return GB_UNIT_S;
    case benchmark::kNanosecond:
        break;
    }
    return GB_UNIT_NS;
}

/* Hands libbenchmark's reports to a C function. */
class reporter final : public benchmark::BenchmarkReporter
{
  public:
    /* burst_name: NULL when it is no burst: then aggregates are reported, under Google's names */
    reporter(gb_report report, void *payload, const char *burst_name)
        : report_(report), payload_(payload), burst_name_(burst_name), nowhere_(nullptr)
    {
        SetErrorStream(&nowhere_);
        if (burst_name != nullptr) {
            SetOutputStream(&nowhere_); /* so std::cout isn't flushed either */
        }
    }

    bool ReportContext(const Context &) override
    {
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (burst_name_ == nullptr || run.run_type == Run::RT_Iteration) {
                hand_over(run);
            }
        }
    }

  private:
    void hand_over(const Run &run);
    void fill_counters(const Run &run);

    const gb_report report_;
    void *const payload_;
    const char *const burst_name_;
    std::ostream nowhere_; /* without a buffer: what is written to it is dropped */
    std::vector<gb_counter> counters_;
};

void reporter::fill_counters(const Run &run)
{
    counters_.clear();
    for (const auto &item : run.counters) {
        counters_.push_back({item.first.c_str(), item.second.value, flags_of(item.second)});
    }
}

void fill_times(const benchmark::BenchmarkReporter::Run &run, gb_result &result)
{
    result.real_ns = result.real_total_s = result.real_fraction = no_number;
    result.cpu_ns = result.cpu_total_s = result.cpu_fraction = no_number;
    if (result.error != nullptr) {
        return;
    }
    if (result.run_type == GB_RUN_AGGREGATE && run.aggregate_unit == benchmark::kPercentage) {
        result.real_fraction = run.real_accumulated_time;
        result.cpu_fraction = run.cpu_accumulated_time;
        return;
    }
    const double iterations = static_cast<double>(run.iterations);
    result.real_total_s = run.real_accumulated_time;
    result.cpu_total_s = run.cpu_accumulated_time;
    result.real_ns = run.real_accumulated_time * ns_per_s / iterations;
    result.cpu_ns = run.cpu_accumulated_time * ns_per_s / iterations;
}

void reporter::hand_over(const Run &run)
{
    const bool aggregate = run.run_type == Run::RT_Aggregate;
    const std::string name = burst_name_ != nullptr ? std::string() : run.benchmark_name();
    fill_counters(run);
    gb_result result = {};
    result.name = burst_name_ != nullptr ? burst_name_ : name.c_str();
    result.run_type = aggregate ? GB_RUN_AGGREGATE : GB_RUN_ITERATION;
    result.aggregate_name = aggregate ? run.aggregate_name.c_str() : nullptr;
    result.repetition = aggregate ? -1 : run.repetition_index;
    result.repetitions = run.repetitions;
    result.threads = run.threads;
    result.iterations = static_cast<uint64_t>(run.iterations);
    result.unit = unit_of(run.time_unit);
    result.error = error_of(run, 0);
    result.label = run.report_label.empty() ? nullptr : run.report_label.c_str();
    result.counters = counters_.data();
    result.n_counters = counters_.size();
    fill_times(run, result);
    report_(&result, payload_);
}

/* Flags are kept in libbenchmark's globals, and the way in is its command line. */
void set_flags(const std::vector<std::string> &flags)
{
    std::vector<std::string> texts = flags;
    std::vector<char *> argv = {
        const_cast<char *>(benchmark::BenchmarkReporter::Context::executable_name)};
    for (std::string &text : texts) {
        argv.push_back(&text[0]);
    }
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    benchmark::Initialize(&argc, argv.data(), [] { throw wrong_usage(); });
}

/*
 * Without it, BENCHMARK_OUT, BENCHMARK_DRY_RUN or BENCHMARK_MIN_WARMUP_TIME in the environment
 * would write files, leave out iterations or add some. A verbosity of -1 silences a remark on
 * --benchmark_min_time that newer releases make at 0.
 */
void forget_flags()
{
    if (!globals().flags_may_be_set) {
        return;
    }
    set_flags({"--benchmark_list_tests=false", "--benchmark_min_warmup_time=0",
               "--benchmark_dry_run=false", "--benchmark_enable_random_interleaving=false",
               "--benchmark_report_aggregates_only=false",
               "--benchmark_display_aggregates_only=false", "--benchmark_format=console",
               "--benchmark_out=", "--benchmark_out_format=json", "--benchmark_color=auto",
               "--benchmark_perf_counters=", "--benchmark_time_unit=", "--v=-1"});
    globals().flags_may_be_set = false;
}

/* Unregisters on all ways out what refers to an object on the stack. */
struct cleared_at_end {
    ~cleared_at_end()
    {
        clear();
    }
};

enum gb_code run_burst(const struct gb_burst_spec &burst)
{
    forget_flags();
    clear();
    gb_benchmark once;
    once.body = burst.body;
    once.payload = burst.payload;
    const cleared_at_end cleared;
    benchmark::RegisterBenchmark("burst", [&once](benchmark::State &s) { running(s, once).run(); })
        ->Iterations(static_cast<benchmark::IterationCount>(burst.iterations))
        ->Repetitions(static_cast<int>(burst.repetitions));
    reporter to(burst.report, burst.report_payload, burst.name == nullptr ? "" : burst.name);
    benchmark::RunSpecifiedBenchmarks(&to, ".");
    return once.errors.empty() ? GB_OK : GB_ERR_BODY;
}

bool is_positive(double seconds)
{
    return std::isfinite(seconds) && seconds >= 0;
}

enum gb_code check(const struct gb_benchmark_spec &spec)
{
    if (spec.name == nullptr || *spec.name == '\0' || spec.body == nullptr) {
        return GB_ERR_INVALID;
    }
    if (!is_positive(spec.min_time_s) || !is_positive(spec.min_warmup_s)) {
        return GB_ERR_INVALID;
    }
    if (spec.iterations != 0 && spec.min_time_s > 0) {
        return GB_ERR_INVALID;
    }
    if (spec.min_warmup_s > 0 && !(spec.min_time_s > 0)) {
        return GB_ERR_INVALID;
    }
    if (number_of(spec.unit) > GB_UNIT_S || number_of(spec.clock) > GB_CLOCK_MANUAL) {
        return GB_ERR_INVALID;
    }
    if (spec.iterations > GB_ITERATIONS_MAX || spec.repetitions > GB_REPETITIONS_MAX ||
        spec.threads > GB_THREADS_MAX || spec.n_arg_names > GB_ARGS_MAX) {
        return GB_ERR_LIMIT;
    }
    if (spec.n_arg_names > 0 && spec.arg_names == nullptr) {
        return GB_ERR_INVALID;
    }
    for (size_t i = 0; i < spec.n_arg_names; i++) {
        if (spec.arg_names[i] == nullptr) {
            return GB_ERR_INVALID;
        }
    }
    return GB_OK;
}

void apply_amount(const struct gb_benchmark_spec &spec, google_benchmark &google)
{
    if (spec.iterations != 0) {
        google.Iterations(static_cast<benchmark::IterationCount>(spec.iterations));
    }
    if (spec.repetitions != 0) {
        google.Repetitions(static_cast<int>(spec.repetitions));
    }
    if (spec.min_time_s > 0) {
        google.MinTime(spec.min_time_s);
    }
    if (spec.min_warmup_s > 0) {
        google.MinWarmUpTime(spec.min_warmup_s);
    }
    if (spec.threads != 0) {
        google.Threads(static_cast<int>(spec.threads));
    }
}

void apply_report(const struct gb_benchmark_spec &spec, google_benchmark &google)
{
    static constexpr benchmark::TimeUnit units[] = {
        benchmark::kNanosecond, /* for GB_UNIT_DEFAULT, not used */
        benchmark::kNanosecond, benchmark::kMicrosecond, benchmark::kMillisecond,
        benchmark::kSecond};
    if (spec.unit != GB_UNIT_DEFAULT) {
        google.Unit(units[spec.unit]);
    }
    if (spec.clock == GB_CLOCK_REAL) {
        google.UseRealTime();
    }
    if (spec.clock == GB_CLOCK_MANUAL) {
        google.UseManualTime();
    }
    if (spec.process_cpu_time) {
        google.MeasureProcessCPUTime();
    }
    if (spec.aggregates_only) {
        google.ReportAggregatesOnly();
    }
}

enum gb_code add(const struct gb_benchmark_spec &spec, struct gb_benchmark **benchmark)
{
    auto made = std::make_unique<gb_benchmark>();
    gb_benchmark *const one = made.get();
    one->arg_names.assign(spec.arg_names, spec.arg_names + spec.n_arg_names);
    globals().benchmarks.push_back(std::move(made));
    one->google = benchmark::RegisterBenchmark(
        spec.name, [one](benchmark::State &state) { running(state, *one).run(); });
    apply_amount(spec, *one->google);
    apply_report(spec, *one->google);
    one->body = spec.body;
    one->payload = spec.payload;
    if (benchmark != nullptr) {
        *benchmark = one;
    }
    return GB_OK;
}

/* Every way to add arguments is a product of lists. */
enum gb_code add_product(struct gb_benchmark *benchmark, const arg_lists &lists)
{
    const size_t known = benchmark->n_args != 0 ? benchmark->n_args : benchmark->arg_names.size();
    if (lists.empty() || (known != 0 && lists.size() != known)) {
        return GB_ERR_INVALID;
    }
    size_t n_instances = 1;
    for (const std::vector<int64_t> &list : lists) {
        if (list.empty()) {
            return GB_ERR_INVALID;
        }
        if (list.size() > GB_INSTANCES_MAX / n_instances) {
            return GB_ERR_LIMIT;
        }
        n_instances *= list.size();
    }
    if (n_instances > GB_INSTANCES_MAX - benchmark->n_instances) {
        return GB_ERR_LIMIT;
    }
    /* Not before there are arguments: with names alone libbenchmark would run no instance at all.
     */
    if (benchmark->n_args == 0 && !benchmark->arg_names.empty()) {
        benchmark->google->ArgNames(benchmark->arg_names);
    }
    benchmark->google->ArgsProduct(lists);
    benchmark->n_args = lists.size();
    benchmark->n_instances += n_instances;
    return GB_OK;
}

/*
 * Google's reporter for --benchmark_format, made at the first use and kept: given none,
 * libbenchmark 1.7.1 to 1.9.5 uses one at the second run that it has deleted after the first.
 */
[[maybe_unused]] benchmark::BenchmarkReporter *keep(benchmark::BenchmarkReporter *made)
{
    return made;
}

[[maybe_unused]] benchmark::BenchmarkReporter *
keep(std::unique_ptr<benchmark::BenchmarkReporter> made)
{
    return made.release();
}

benchmark::BenchmarkReporter &google_reporter()
{
    static benchmark::BenchmarkReporter *const kept =
        keep(benchmark::CreateDefaultDisplayReporter());
    return *kept;
}

enum gb_code run_all(const struct gb_run_spec &spec, size_t *n_run)
{
    for (const std::unique_ptr<gb_benchmark> &one : globals().benchmarks) {
        one->errors.clear();
        one->counter_flags.clear();
    }
    const std::string filter =
        spec.filter != nullptr ? spec.filter : benchmark::GetBenchmarkFilter();
    size_t n = 0;
    if (spec.report != nullptr) {
        reporter to(spec.report, spec.report_payload, nullptr);
        n = benchmark::RunSpecifiedBenchmarks(&to, filter);
    } else {
        n = benchmark::RunSpecifiedBenchmarks(&google_reporter(), filter);
    }
    if (n == 0) {
        return GB_ERR_NO_MATCH;
    }
    if (n_run != nullptr) {
        *n_run = n;
    }
    for (const std::unique_ptr<gb_benchmark> &one : globals().benchmarks) {
        if (!one->errors.empty()) {
            return GB_ERR_BODY;
        }
    }
    return GB_OK;
}

bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--help") == 0) {
            return true;
        }
    }
    return false;
}

} // namespace

extern "C" enum gb_code gb_burst(const struct gb_burst_spec *burst)
{
    if (burst == nullptr || burst->body == nullptr || burst->report == nullptr ||
        burst->iterations == 0 || burst->repetitions == 0) {
        return GB_ERR_INVALID;
    }
    if (burst->iterations > GB_ITERATIONS_MAX || burst->repetitions > GB_REPETITIONS_MAX) {
        return GB_ERR_LIMIT;
    }
    return guarded([burst] { return run_burst(*burst); });
}

extern "C" enum gb_code gb_prepare(void)
{
    return guarded([] {
        (void)benchmark::CPUInfo::Get();
        (void)benchmark::SystemInfo::Get();
        return GB_OK;
    });
}

extern "C" enum gb_code gb_register(const struct gb_benchmark_spec *spec,
                                    struct gb_benchmark **benchmark)
{
    if (spec == nullptr) {
        return GB_ERR_INVALID;
    }
    const enum gb_code code = check(*spec);
    if (code != GB_OK) {
        return code;
    }
    return guarded([spec, benchmark] { return add(*spec, benchmark); });
}

extern "C" enum gb_code gb_benchmark_add_arg(struct gb_benchmark *benchmark, int64_t arg)
{
    return gb_benchmark_add_args(benchmark, &arg, 1);
}

extern "C" enum gb_code gb_benchmark_add_args(struct gb_benchmark *benchmark, const int64_t *args,
                                              size_t n_args)
{
    if (benchmark == nullptr || args == nullptr) {
        return GB_ERR_INVALID;
    }
    if (n_args > GB_ARGS_MAX) {
        return GB_ERR_LIMIT;
    }
    return guarded([benchmark, args, n_args] {
        arg_lists lists;
        for (size_t i = 0; i < n_args; i++) {
            lists.push_back({args[i]});
        }
        return add_product(benchmark, lists);
    });
}

extern "C" enum gb_code gb_benchmark_add_range(struct gb_benchmark *benchmark, int64_t lo,
                                               int64_t hi, int multiplier)
{
    if (benchmark == nullptr || lo > hi || multiplier < 2) {
        return GB_ERR_INVALID;
    }
    return guarded([benchmark, lo, hi, multiplier] {
        return add_product(benchmark, {benchmark::CreateRange(lo, hi, multiplier)});
    });
}

extern "C" enum gb_code gb_benchmark_add_dense_range(struct gb_benchmark *benchmark, int64_t lo,
                                                     int64_t hi, int64_t step)
{
    if (benchmark == nullptr || lo > hi || step < 1) {
        return GB_ERR_INVALID;
    }
    const uint64_t steps =
        (static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo)) / static_cast<uint64_t>(step);
    if (steps >= GB_INSTANCES_MAX) {
        return GB_ERR_LIMIT;
    }
    return guarded([benchmark, lo, step, steps] {
        std::vector<int64_t> list;
        for (uint64_t i = 0; i <= steps; i++) {
            list.push_back(lo + static_cast<int64_t>(i) * step);
        }
        return add_product(benchmark, {list});
    });
}

extern "C" enum gb_code gb_benchmark_add_product(struct gb_benchmark *benchmark,
                                                 const struct gb_arg_values *args, size_t n_args)
{
    if (benchmark == nullptr || args == nullptr) {
        return GB_ERR_INVALID;
    }
    if (n_args > GB_ARGS_MAX) {
        return GB_ERR_LIMIT;
    }
    for (size_t i = 0; i < n_args; i++) {
        if (args[i].values == nullptr) {
            return GB_ERR_INVALID;
        }
        if (args[i].n_values > GB_INSTANCES_MAX) {
            return GB_ERR_LIMIT;
        }
    }
    return guarded([benchmark, args, n_args] {
        arg_lists lists;
        for (size_t i = 0; i < n_args; i++) {
            lists.emplace_back(args[i].values, args[i].values + args[i].n_values);
        }
        return add_product(benchmark, lists);
    });
}

extern "C" enum gb_code gb_clear(void)
{
    return guarded([] {
        clear();
        return GB_OK;
    });
}

extern "C" enum gb_code gb_run(const struct gb_run_spec *spec, size_t *n_run)
{
    static constexpr struct gb_run_spec defaults = {};
    return guarded([spec, n_run] { return run_all(spec != nullptr ? *spec : defaults, n_run); });
}

extern "C" enum gb_code gb_initialize(int *argc, char **argv)
{
    if (argc == nullptr || argv == nullptr) {
        return GB_ERR_INVALID;
    }
    return guarded([argc, argv] {
        globals().flags_may_be_set = true;
        benchmark::Initialize(argc, argv, [] { throw wrong_usage(); });
        return GB_OK;
    });
}

extern "C" bool gb_report_unrecognized(int argc, char **argv)
{
    return benchmark::ReportUnrecognizedArguments(argc, argv);
}

extern "C" void gb_print_help(void)
{
    benchmark::PrintDefaultHelp();
}

extern "C" enum gb_code gb_add_context(const char *key, const char *value)
{
    if (key == nullptr || value == nullptr) {
        return GB_ERR_INVALID;
    }
    return guarded([key, value] {
        benchmark::AddCustomContext(key, value);
        return GB_OK;
    });
}

extern "C" int gb_main(int argc, char **argv)
{
    enum gb_code code = gb_initialize(&argc, argv);
    if (code == GB_ERR_USAGE) {
        gb_print_help();
        return asks_for_help(argc, argv) ? 0 : 2;
    }
    if (code == GB_OK && gb_report_unrecognized(argc, argv)) {
        return 2;
    }
    if (code == GB_OK) {
        code = gb_run(nullptr, nullptr);
    }
    if (code == GB_OK) {
        return 0;
    }
    (void)std::fprintf(stderr, "%s\n", gb_code_text(code));
    return 1;
}

extern "C" const char *gb_code_text(enum gb_code code)
{
    static constexpr const char *texts[] = {
        "no error",
        "a parameter is missing or makes no sense",
        "a number is beyond its limit in gbench.h",
        out_of_memory,
        "no benchmark matches the filter, or it is no regular expression",
        "help was asked for, or a flag has a value that it can't have",
        "at least one run ended in an error",
        "an exception was thrown; the run was given up",
    };
    static_assert(sizeof texts / sizeof texts[0] == GB_ERR_EXCEPTION + 1, "a text for each code");
    return number_of(code) <= GB_ERR_EXCEPTION ? texts[number_of(code)] : "unknown result code";
}
