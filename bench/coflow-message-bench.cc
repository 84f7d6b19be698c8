/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long a message keeps a coordinator busy: the default of attribute MessageTime.
//
// A coordinator of real sockets serves many daemons over TCP on this machine's loopback, in one
// thread. Daemons send a heartbeat each, and the coordinator answers each with rates. What is
// measured is the CPU time of the coordinator's thread, per message that it receives or sends: the
// calls into the kernel and TCP there, and reading, remembering and writing the message. A decision
// is not part of it: ComputeDelay stands for the time that one takes.
//
// On loopback a send also does most of what the other end's kernel does to receive, which the
// coordinator of a real network need not do, and it has no device driver, which a real one has.

#include <array>
#include <atomic>
#include <benchmark/benchmark.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace
{

constexpr std::size_t HEARTBEAT_BYTES = 40; // header and what a Heartbeat of this module has
constexpr std::size_t RATE_BYTES = 24;      // coflow, flow and rate

/// @return the result of a system call
/// @throws std::system_error where it has failed
long
Checked(long result, const char* call)
{
    if (result < 0)
    {
        throw std::system_error(errno, std::generic_category(), call);
    }
    return result;
}

/// A file descriptor that is closed at its end.
class Descriptor
{
  public:
    explicit Descriptor(long descriptor = -1)
        : m_descriptor(static_cast<int>(descriptor))
    {
    }

    Descriptor(Descriptor&& other) noexcept
        : m_descriptor(other.m_descriptor)
    {
        other.m_descriptor = -1;
    }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    ~Descriptor()
    {
        if (m_descriptor >= 0)
        {
            close(m_descriptor);
        }
    }

    int operator*() const
    {
        return m_descriptor;
    }

  private:
    int m_descriptor;
};

/// Sends all bytes.
/// @return false where the other end has closed
bool
SendAll(int socket, const std::vector<char>& bytes)
{
    for (std::size_t sent = 0; sent < bytes.size();)
    {
        const auto n = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
        {
            return false;
        }
        sent += Checked(n, "send");
    }
    return true;
}

/// Receives this many bytes.
/// @return false where the other end has closed
bool
ReceiveAll(int socket, std::vector<char>& bytes)
{
    for (std::size_t got = 0; got < bytes.size();)
    {
        const auto n = recv(socket, bytes.data() + got, bytes.size() - got, 0);
        if (n == 0 || (n < 0 && errno == ECONNRESET))
        {
            return false;
        }
        got += Checked(n, "recv");
    }
    return true;
}

/// Two ends of a TCP connection without Nagle's algorithm, as those of control messages.
std::pair<Descriptor, Descriptor>
Connect(int listener, const sockaddr_in& address)
{
    Descriptor ours(Checked(socket(AF_INET, SOCK_STREAM, 0), "socket"));
    Checked(connect(*ours, reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    Descriptor theirs(Checked(accept(listener, nullptr, nullptr), "accept"));
    const int on = 1;
    for (const auto* each : {&ours, &theirs})
    {
        Checked(setsockopt(**each, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "setsockopt");
    }
    return {std::move(ours), std::move(theirs)};
}

/// Connections of a coordinator with its daemons.
struct Star
{
    std::vector<Descriptor> daemons;     ///< their ends
    std::vector<Descriptor> coordinator; ///< its end of each

    explicit Star(std::size_t nDaemons)
    {
        Descriptor listener(Checked(socket(AF_INET, SOCK_STREAM, 0), "socket"));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof address;
        Checked(bind(*listener, any, size), "bind");
        Checked(listen(*listener, 1), "listen");
        Checked(getsockname(*listener, any, &size), "getsockname");
        for (std::size_t i = 0; i < nDaemons; ++i)
        {
            auto [ours, theirs] = Connect(*listener, address);
            daemons.push_back(std::move(ours));
            coordinator.push_back(std::move(theirs));
        }
    }
};

/// What a coordinator keeps of a daemon.
struct Host
{
    std::uint64_t received{0}; ///< bytes in the last heartbeat
    std::uint64_t beats{0};    ///< heartbeats in all
};

/// @return CPU seconds of this thread
double
ThreadSeconds()
{
    timespec time{};
    Checked(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), "clock_gettime");
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The coordinator: answers heartbeats.
class Server
{
  public:
    /// @param star its connections, which live longer
    /// @param answerBytes size of an answer
    Server(const Star& star, std::size_t answerBytes)
        : m_star(star),
          m_epoll(Checked(epoll_create1(0), "epoll_create1")),
          m_hosts(star.coordinator.size()),
          m_answer(answerBytes)
    {
        for (std::uint32_t i = 0; i < m_hosts.size(); ++i)
        {
            epoll_event event{};
            event.events = EPOLLIN;
            event.data.u32 = i;
            Checked(epoll_ctl(*m_epoll, EPOLL_CTL_ADD, *star.coordinator[i], &event), "epoll_ctl");
        }
    }

    /// Handles messages until so many have come.
    void Serve(std::size_t nMessages)
    {
        std::array<epoll_event, 64> ready{};
        std::vector<char> message(HEARTBEAT_BYTES);
        while (nMessages > 0)
        {
            const auto n = Checked(epoll_wait(*m_epoll, ready.data(), ready.size(), -1), "epoll");
            for (long i = 0; i < n; ++i, --nMessages)
            {
                const auto daemon = ready[i].data.u32;
                const auto socket = *m_star.coordinator[daemon];
                const bool open = ReceiveAll(socket, message);
                Handle(m_hosts[daemon], message);
                if (!open || !SendAll(socket, m_answer))
                {
                    throw std::system_error(ECONNRESET, std::generic_category(), "coordinator");
                }
            }
        }
    }

  private:
    /// Reads a heartbeat and writes the answer.
    void Handle(Host& host, const std::vector<char>& message)
    {
        std::memcpy(&host.received, message.data() + 8, sizeof host.received);
        ++host.beats;
        for (std::size_t at = 0; at + sizeof host.beats <= m_answer.size(); at += 8)
        {
            std::memcpy(m_answer.data() + at, &host.beats, sizeof host.beats);
        }
    }

    const Star& m_star;
    Descriptor m_epoll;
    std::vector<Host> m_hosts;
    std::vector<char> m_answer;
};

/// Rounds of heartbeats and answers. An iteration is a message that the coordinator receives or
/// sends, in the mean.
/// @param state ranges: daemons, rates in an answer
void
MessageOfACoordinator(benchmark::State& state)
{
    const auto nDaemons = static_cast<std::size_t>(state.range(0));
    const auto answerBytes = HEARTBEAT_BYTES + RATE_BYTES * state.range(1);
    const Star star(nDaemons);
    Server server(star, answerBytes);
    std::atomic<bool> over{false};
    std::thread daemons([&] {
        const std::vector<char> heartbeat(HEARTBEAT_BYTES, 'h');
        std::vector<char> answer(answerBytes);
        while (!over)
        {
            for (const auto& each : star.daemons)
            {
                if (!SendAll(*each, heartbeat))
                {
                    return;
                }
            }
            for (const auto& each : star.daemons)
            {
                if (!ReceiveAll(*each, answer))
                {
                    return;
                }
            }
        }
    });
    for (auto _ : state)
    {
        const auto before = ThreadSeconds();
        server.Serve(nDaemons);
        state.SetIterationTime(ThreadSeconds() - before);
    }
    over = true;
    for (const auto& each : star.coordinator)
    {
        shutdown(*each, SHUT_RDWR);
    }
    daemons.join();
    const auto messages = static_cast<double>(2 * nDaemons * state.iterations());
    state.counters["per_message"] =
        benchmark::Counter(messages, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(MessageOfACoordinator)
    ->ArgNames({"daemons", "rates"})
    ->ArgsProduct({{50, 150, 900}, {0, 10, 100, 1000}})
    ->UseManualTime()
    ->MinTime(1)
    ->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
