// The yardstick: counts conflicts with simdjson's on-demand parser, the keys in the order in which the log's writer puts them.
// usage: summary_simdjson THREADS FILE. The file is cut into pieces at line breaks, which the threads take in turn.
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

using namespace simdjson;

struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using Counts = std::unordered_map<std::string, long, Hash, std::equal_to<>>;

static void count(Counts &counts, std::string_view name) {
    auto found = counts.find(name);
    if (found == counts.end()) counts.emplace(std::string(name), 1); else ++found->second;
}

struct Summary {
    long lines = 0, conflicts = 0, lost = 0;
    Counts kinds, severities, winners, fields;

    void take(ondemand::object object) {
        ++lines;
        if (std::string_view(object["event"]) != "conflict") return;
        ++conflicts;
        count(kinds, object["kind"].get_string());
        std::string_view severity = object["severity"].get_string();
        count(severities, severity);
        if (severity == "lossy" || severity == "destructive" || severity == "divergent") ++lost;
        char name[512];
        std::string_view type = object["recordType"].get_string();
        size_t length = std::min<size_t>(type.size(), 255);
        memcpy(name, type.data(), length);
        std::string_view field;
        if (object["field"].get_string().get(field) == SUCCESS) {
            name[length++] = '.';
            size_t rest = std::min<size_t>(field.size(), 255);
            memcpy(name + length, field.data(), rest);
            length += rest;
        }
        count(fields, std::string_view(name, length));
        count(winners, object["winner"]["device"].get_string());
    }

    void merge(const Summary &other) {
        lines += other.lines; conflicts += other.conflicts; lost += other.lost;
        for (auto [mine, theirs] : {std::pair(&kinds, &other.kinds), {&severities, &other.severities}, {&winners, &other.winners}, {&fields, &other.fields}})
            for (auto &[name, number] : *theirs) (*mine)[name] += number;
    }
};

static void print(const char *key, const Counts &counts, bool last = false) {
    std::map<std::string, long> sorted(counts.begin(), counts.end());
    printf("\"%s\": {", key);
    bool first = true;
    for (auto &[name, number] : sorted) { printf("%s\"%s\": %ld", first ? "" : ", ", name.c_str(), number); first = false; }
    printf("}%s", last ? "" : ", ");
}

// One thread: pieces of 4 MiB, each from the first line that starts in it to the last that starts in it, read with pread as other logs may be growing.
static void work(int file, size_t size, std::atomic<size_t> &next, Summary &summary) {
    const size_t piece = 4 << 20, longest = 1 << 20;
    std::vector<char> buffer(1 + piece + longest + SIMDJSON_PADDING);
    ondemand::parser parser;
    while (true) {
        size_t start = next.fetch_add(piece);
        if (start >= size) return;
        size_t from = start == 0 ? 0 : start - 1;
        size_t wanted = std::min(size - from, (start - from) + piece + longest), got = 0;
        while (got < wanted) {
            ssize_t read = pread(file, buffer.data() + got, wanted - got, from + got);
            if (read <= 0) { perror("read"); exit(74); }
            got += read;
        }
        char *begin = buffer.data(), *end = buffer.data() + got;
        if (start > 0) {
            char *mark = (char *)memchr(begin, '\n', got);
            if (!mark) continue;
            begin = mark + 1;
        }
        char *limit = buffer.data() + std::min(got, (start - from) + piece);
        if (begin >= limit) continue;
        if (limit < end) {
            char *mark = (char *)memchr(limit - 1, '\n', end - limit + 1);
            end = mark ? mark + 1 : end;
        }
        ondemand::document_stream stream;
        size_t batch = end - begin;
        if (parser.iterate_many(begin, batch, batch + 64).get(stream)) exit(65);
        for (auto document : stream) {
            ondemand::object object;
            if (document.get_object().get(object)) exit(65);
            summary.take(object);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int threads = atoi(argv[1]), file = open(argv[2], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) { perror(argv[2]); return 66; }
    std::atomic<size_t> next = 0;
    std::vector<Summary> parts(threads);
    std::vector<std::thread> workers;
    for (int index = 1; index < threads; ++index)
        workers.emplace_back([&, index] { work(file, status.st_size, next, parts[index]); });
    work(file, status.st_size, next, parts[0]);
    for (auto &worker : workers) worker.join();
    for (int index = 1; index < threads; ++index) parts[0].merge(parts[index]);
    Summary &all = parts[0];
    printf("{\"lines\": %ld, \"conflicts\": %ld, \"lost\": %ld, ", all.lines, all.conflicts, all.lost);
    print("kinds", all.kinds); print("severities", all.severities); print("winners", all.winners); print("fields", all.fields, true);
    printf("}\n");
}
